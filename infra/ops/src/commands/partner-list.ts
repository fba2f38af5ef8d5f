import { listPartners, listPayoutPartners, Problem, type WireResult } from "@collect/contracts";
import { withBus } from "../bus.ts";
import { type Output, print } from "../print.ts";

/** What both services know of the partners: accounts of those that receive, payments of those that pay out. */
export function list(output: Output): Promise<void> {
  return withBus(async (send) => {
    const [listed, paying] = await Promise.all([
      send(listPartners, {}),
      send(listPayoutPartners, {}).catch(withoutService),
    ]);
    const payouts = paying?.partners ?? null;
    const { choices: payout_choices = [], has_more_choices: has_more_payout_choices = false } = paying ?? {};
    print({ ...listed, payouts, payout_choices, has_more_payout_choices }, output, () =>
      [
        ...listed.partners.flatMap((partner) => [...receivingLines(partner), payoutLine(partner.id, payouts)]),
        ...onlyPayingOut(listed, payouts ?? []).flatMap(({ id, name }) => [`${id}  ${name}`, payoutLine(id, payouts)]),
        ...choicesOf(listed),
        ...(paying ? payoutChoicesOf(paying) : []),
      ].join("\n"),
    );
  });
}

/** payments is down, or of the last release, which does not list its partners. */
function withoutService(error: unknown): null {
  if (error instanceof Problem && error.code === "service_unavailable") return null;
  throw error;
}

type Listed = WireResult<typeof listPartners>;
type Partner = Listed["partners"][number];
type Capabilities = NonNullable<Partner["can"]>;
type Paying = WireResult<typeof listPayoutPartners>;
type Payouts = Paying["partners"];

const receivingLines = ({ id, name, is_default, door, needs, pool, can }: Partner) => [
  `${id}  ${name}${is_default ? " (default)" : ""}, door ${door}${needs.length > 0 ? `, needs ${needs.join(" or ")}` : ""}`,
  ...(can ? capabilityLines(can) : []),
  ...(pool
    ? [
        `  ${pool.free} accounts ready, ${pool.unanswered.length} openings without an answer, ${pool.set_aside} set aside`,
      ]
    : []),
  ...(pool?.unanswered ?? []).map((opening) => `  without an answer since ${opening.since}: ${opening.id}`),
];

const capabilityLines = ({ issues, reports, confirms_reports, finds_by_id, finds_by_session }: Capabilities) => [
  `  accounts    ${issues === "from_pool" ? "opened ahead, and given out by renaming" : "opened for each customer"}`,
  `  reports     ${reportsOf(reports)}; ${confirms_reports ? "believed once it confirms them" : "signed over their content"}`,
  `  enquiries   ${enquiriesOf({ finds_by_id, finds_by_session })}`,
  "  statements  imported as files",
];

const REPORTS = { credit: "credits", reversal: "reversals", settlement: "settlements", payout: "returned payouts" };

const reportsOf = (kinds: string[]): string =>
  Object.entries(REPORTS)
    .map(([kind, words]) => (kinds.includes(kind) ? words : `no ${words}`))
    .join(", ");

function enquiriesOf({ finds_by_id, finds_by_session }: Pick<Capabilities, "finds_by_id" | "finds_by_session">) {
  if (!finds_by_id) return "cannot be asked for a transfer";
  return finds_by_session ? "a transfer by its id or its session" : "a transfer by its id, not by its session";
}

function payoutLine(id: string, payouts: Payouts | null): string {
  const partner = payouts?.find((each) => each.id === id);
  if (!payouts) return "  payouts     not known: payments does not answer";
  if (!partner) return "  payouts     none";
  const banks = partner.lists_banks ? "lists the banks that it pays to" : "does not list the banks that it pays to";
  return `  payouts     ${partner.is_default ? "sends them (default)" : "sends them"}; names account holders; ${banks}`;
}

const onlyPayingOut = ({ partners }: Listed, payouts: Payouts) =>
  payouts.filter(({ id }) => !partners.some((partner) => partner.id === id));

const choicesOf = ({ partners, choices, has_more_choices }: Listed) => [
  ...choices.map(({ merchant_id, partner, chosen_at }) => {
    const isThere = partners.some(({ id }) => id === partner);
    return `${merchant_id} uses ${partner} since ${chosen_at}${isThere ? "" : ", which is not configured: the default"}`;
  }),
  ...onlyNewest(choices, has_more_choices),
];

const payoutChoicesOf = ({ partners, choices = [], has_more_choices = false }: Paying) => [
  ...choices.map(({ merchant_id, partner, chosen_at, reason }) => {
    const isThere = partners.some(({ id }) => id === partner);
    return `${merchant_id} pays out by ${partner} since ${chosen_at}${isThere ? "" : ", which is not configured: its payouts wait"}: ${reason}`;
  }),
  ...onlyNewest(choices, has_more_choices),
];

const onlyNewest = ({ length }: unknown[], hasMore: boolean) =>
  hasMore ? [`Only the newest ${length} choices are shown: there are more.`] : [];
