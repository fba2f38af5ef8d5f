import { useSearchParams } from "react-router";
import { spanWords } from "./lagos-days.ts";
import { money } from "./money.tsx";

/** A filter of a list. Every value is in the URL, so a filtered list can be shared. */
export type Filter =
  | { kind: "search"; label: string; placeholder: string }
  /** One of these, or all. */
  | { kind: "choice"; name: string; label: string; options: { value: string; label: string }[] }
  | { kind: "span"; label: string }
  /** From and to, both included, in naira. */
  | { kind: "amount"; label: string }
  /** Set by a link from another page, such as a customer's; it can only be shown and removed here. An opaque value is not shown. */
  | { kind: "given"; name: string; label: string; isOpaque?: boolean };

/** A filter that is set in the list itself. */
export type FieldFilter = Extract<Filter, { kind: "choice" | "span" | "amount" }>;
export const isField = (filter: Filter): filter is FieldFilter =>
  filter.kind === "choice" || filter.kind === "span" || filter.kind === "amount";

/** The parameters of a filter. */
export function namesOf(filter: Filter): string[] {
  if (filter.kind === "search") return ["search"];
  if (filter.kind === "span") return ["from", "before"];
  if (filter.kind === "amount") return ["amount_from", "amount_to"];
  return [filter.name];
}

/** What a filter is set to, in words; undefined if it is not. */
export function wordsOf(filter: Filter, params: URLSearchParams): string | undefined {
  if (filter.kind === "span") return spanWords(params.get("from"), params.get("before"), Date.now());
  if (filter.kind === "amount") return amountWords(params.get("amount_from"), params.get("amount_to"));
  const [name = ""] = namesOf(filter);
  const value = params.get(name) ?? undefined;
  if (filter.kind !== "choice" || value === undefined) return value;
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

function amountWords(from: string | null, to: string | null): string | undefined {
  const naira = (amount: string) => (Number.isFinite(Number(amount)) ? money(Number(amount)) : amount);
  if (from && to) return from === to ? naira(from) : `${naira(from)} – ${naira(to)}`;
  if (from) return `from ${naira(from)}`;
  return to ? `up to ${naira(to)}` : undefined;
}

export type FilterValues = ReturnType<typeof useFilterValues>;

/** Reads URL parameters, and sets them, which returns to the first page. */
export function useFilterValues() {
  const [params, setParams] = useSearchParams();
  const set = (values: Record<string, string | undefined>) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      next.delete("after");
      for (const [name, value] of Object.entries(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    });
  return { params, set };
}
