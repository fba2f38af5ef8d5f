import { type Actor, getWebhookHealth, recordAct, resumeWebhookEndpoint, setWebhookEndpoint } from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { expect } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { deliverNow } from "../stack/deliveries.ts";
import type { Stack } from "../stack.ts";
import { aCustomer } from "./traffic.ts";

/** A live merchant whose webhooks go to another URL from a moment that is not in the backup on. */
export type MovedEndpoint = {
  /** Sets the URL as a member does, and is paid once more. */
  move(): Promise<void>;
  /** The former URL received nothing after the move; the present one gets all that was lost once its merchant says so. */
  prove(): Promise<void>;
};

export async function openMovedEndpoint(stack: Stack): Promise<MovedEndpoint> {
  const { merchant, accountNumber: account_number } = await aCustomer(stack);
  const scope = { id: merchant.id, mode: "live" as const };
  const path = `/hook/${merchant.id}/moved`;
  const url = `${stack.receiver.url}/${merchant.id}/moved`;
  const actor: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
  const pay = async (amount: number) =>
    expect((await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount }))).status).toBe(200);
  const atPresent = () => stack.receiver.received.filter((received) => received.path === path);
  const hold = async () => (await stack.bus.request(getWebhookHealth, { merchant: scope })).hold;
  const setUrl = () => stack.bus.request(setWebhookEndpoint, { merchant: scope, url });

  await pay(100);
  await merchant.untilReceived("live", 1);
  return {
    async move() {
      const act = { merchant_id: merchant.id, mode: "live" as const, action: "webhook.set", detail: { url } };
      await stack.bus.request(recordAct, act, { requestId: randomId("req"), actor });
      // A backup closes the connections to the database.
      await until("the URL is set", () =>
        setUrl().then(
          () => true,
          () => false,
        ),
      );
      await pay(200);
      await until("the present URL gets it", () => atPresent().length > 0);
    },
    async prove() {
      const [sent] = atPresent();
      expect(await hold()).toMatchObject({ state: "paused", lost_change_at: expect.any(String) });
      await setUrl();
      await stack.bus.request(resumeWebhookEndpoint, { merchant: scope });
      await until("the lost event is sent again", async () => {
        await deliverNow(stack);
        return atPresent().length > 1 && (await hold()) === null;
      });
      for (const { raw, headers } of atPresent())
        expect([raw, headers["webhook-id"]]).toEqual([sent?.raw, sent?.headers["webhook-id"]]);
      expect(merchant.received("live")).toHaveLength(1);
    },
  };
}
