import type { ActFields, ActResponse } from "../../api/calls.ts";

type Name = ActFields<"scenarios">["name"];

/** The scenarios, what the partner bank does first. */
export const SCENARIOS: Record<Name, { label: string; what: string }> = {
  reported_twice: { label: "Bank: reported twice", what: "The bank reports one payment twice. It is credited once." },
  reported_late: { label: "Bank: reported late", what: "The bank reports a payment a day after it was made." },
  reported_out_of_order: {
    label: "Bank: reported out of order",
    what: "The bank reports three payments, a minute apart, in reverse order.",
  },
  reported_with_another_amount: {
    label: "Bank: reported with another amount",
    what: "The bank reports a payment again, with one naira more. The second report is quarantined and never credited.",
  },
  reported_then_reversed: {
    label: "Bank: reported, then reversed",
    what: "The bank reports a payment, and then takes it back. Your server gets collection.reversed.",
  },
  receiver_fails: {
    label: "Your server: responds with 500",
    what: "Simulates a 500 response. Your server isn't called.",
  },
  receiver_times_out: {
    label: "Your server: times out",
    what: "Simulates a response that doesn't come in time. Your server isn't called.",
  },
  receiver_redirects: {
    label: "Your server: redirects",
    what: "Simulates a 302 response. Redirects are never followed. Your server isn't called.",
  },
  receiver_resets_connection: {
    label: "Your server: resets the connection",
    what: "Simulates a connection that closes without a response. Your server isn't called.",
  },
  response_lost: {
    label: "Your server: its response is lost",
    what: "Your server gets the event and acknowledges it, but the response is lost, so it gets the event again.",
  },
};

/** What the merchant's server does happens in so many attempts; what the bank does happens once. */
export const isAboutServer = (name: Name) => name === "response_lost" || name.startsWith("receiver_");

export const isScenario = (name: string | null): name is Name => name !== null && Object.hasOwn(SCENARIOS, name);

export const RESULTS: Record<ActResponse<"scenarios">["reports"][number]["result"], string> = {
  credited: "Credited",
  duplicate: "Duplicate: already credited",
  quarantined: "Quarantined: never credited",
  reversed: "Reversed: taken back by the bank",
};
