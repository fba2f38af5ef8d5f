import type { ReadResponse } from "../../api/calls.ts";
import { useRead } from "../../api/hooks.ts";
import { RecordLink, Reference } from "../../components/record-link.tsx";

type Transaction = ReadResponse<"transactions/:key">;
const MINUTE_MS = 60_000;
/** A settlement runs at most 30 days after the collections it settles; several may have run since. */
const LATEST_MS = 40 * 86_400_000;

/** The settlement that includes a transaction's entry: the one whose version range contains it. */
export function SettlementOf({ transaction }: { transaction: Transaction | null }) {
  const version = transaction?.entries.find(({ account }) => account === "collected")?.version;
  const postedMs = Date.parse(transaction?.posted_at ?? "");
  const fields = version ? { from: at(postedMs - MINUTE_MS), before: at(postedMs + LATEST_MS), limit: 500 } : {};
  const read = useRead("settlements", fields, { enabled: Boolean(version) });
  if (!version || read.error) return "Temporarily unavailable";
  if (!read.data || read.isPlaceholderData) return "…";
  const found = read.data.data.find(({ from_version, to_version }) => from_version < version && version <= to_version);
  if (!found) return "Not settled yet";
  return (
    <RecordLink to={["settlements", found.reference]}>
      <Reference>{found.reference}</Reference>
    </RecordLink>
  );
}

const at = (ms: number) => new Date(ms).toISOString();
