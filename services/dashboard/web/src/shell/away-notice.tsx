import { useAway } from "../api/away.ts";

/** What people call the nouns of the reads. */
const WORDS: Record<string, string> = {
  balance: "your balance",
  "collection-days": "collections",
  schedule: "settlements",
  exceptions: "what needs attention",
  payouts: "transfers",
  "payout-limits": "your transfer limits",
  "webhook-url": "your webhook",
  webhook: "your webhook",
  members: "your team",
  requests: "API requests",
};

/** While a service behind the page is away: what can't be read, and that the money is safe. */
export function AwayNotice() {
  const away = useAway();
  const what = [...new Set(away.map((noun) => WORDS[noun] ?? noun.replaceAll("-", " ")))];
  return (
    <div role="status">
      {what.length > 0 && (
        <p className="away">
          We can't load {new Intl.ListFormat("en").format(what)} right now. What is shown may be out of date; your money
          is safe. We keep trying.
        </p>
      )}
    </div>
  );
}
