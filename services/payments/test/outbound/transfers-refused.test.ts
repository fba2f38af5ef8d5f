import { listTransfers } from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { anOrder, LIVE_ACCOUNT, refusalOf, rowsOf, send, show, untilStatus, untilStep } from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger } = await useTransfers();

describe("a transfer of more than the settled balance", () => {
  test("is refused and not visible, and succeeds under the same reference once the balance suffices", async () => {
    const merchant = aMerchant();
    ledger.fund(merchant, 250_072n);
    const order = anOrder();
    expect(await refusalOf(send(world, merchant, order))).toBe("insufficient_balance");
    expect(await refusalOf(send(world, merchant, order))).toBe("insufficient_balance");
    const request = { merchant: { ...merchant, name: "Ada" }, limit: "20", offset: "0" };
    expect((await world.others.request(listTransfers, request)).data).toEqual([]);
    expect(await rowsOf(world, merchant)).toEqual([]);

    ledger.fund(merchant, 1n);
    const { transfer, created } = await send(world, merchant, order);
    expect(created).toBe(true);
    await untilStatus(world, merchant, transfer.reference, "success");
    expect(ledger.settled(merchant)).toBe(0n);
  });

  test("is refused with what is there, also when another transfer has just taken the rest", async () => {
    const merchant = aMerchant();
    ledger.fund(merchant, 250_072n);
    const detail = "The settled balance is too low for this transfer: ₦2,500.72 is there.";
    await expect(send(world, merchant, anOrder())).rejects.toMatchObject({ code: "insufficient_balance", detail });
    ledger.claims = 100_000_000n;
    const raced = send(world, merchant, anOrder());
    await expect(raced).rejects.toMatchObject({ code: "insufficient_balance", detail });
    ledger.claims = undefined;
  });

  test("is refused to all concurrent orders", async () => {
    const merchant = aMerchant();
    const order = anOrder();
    ledger.claims = 100_000_000n;
    const codes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(send(world, merchant, order))));
    ledger.claims = undefined;
    expect(new Set(codes)).toEqual(new Set(["insufficient_balance"]));
    for (const { reference } of await untilStep(world, merchant, "refused"))
      expect(await refusalOf(show(world, merchant, reference))).toBe("not_found");
    expect(ledger.settled(merchant)).toBe(0n);
  });

  test("is refused before the bank is asked for the account name", async () => {
    const merchant = aMerchant("live");
    expect(await refusalOf(send(world, merchant, anOrder(LIVE_ACCOUNT)))).toBe("insufficient_balance");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });

  test("is refused when two transfers exceed the balance together", async () => {
    const merchant = aMerchant();
    ledger.fund(merchant, 300_000n);
    const outcomes = await Promise.allSettled([send(world, merchant, anOrder()), send(world, merchant, anOrder())]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ledger.settled(merchant)).toBe(300_000n - 250_073n);
  });
});
