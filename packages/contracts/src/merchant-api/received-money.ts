import { Naira } from "../fields.ts";

/** What was received and what it costs, wherever a collection is shown. The merchant bears the fee, not its customer. */
export const RECEIVED_MONEY = {
  amount: Naira.meta({
    description:
      "What was received, in naira: what the payer sent, before our fee. Credit your customer with it; you bear the fee.",
  }),
  fee: Naira.meta({ description: "Our fee on it, in naira, which you bear; in test mode, too." }),
  net: Naira.meta({ description: "`amount` less `fee`, in naira: what was added to Collected." }),
};
