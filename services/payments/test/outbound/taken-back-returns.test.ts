import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aLine, useReturned } from "./returned-world.ts";
import { refusalOf } from "./transfers-world.ts";

const { world, start, statements, ...returned } = await useReturned();
const { aPaid, giveBack, takeBack, dieAt, aDead, expectReturned, expectPaid } = returned;
const { owner } = world;

test("an act that named the wrong line, and died, is taken back, however often: line and payout are free for the right ones", async () => {
  const { payout, line } = await aDead();
  await start();
  const [other, right] = [await aPaid(), aLine()];
  expect(await refusalOf(giveBack(payout, right))).toBe("conflict");
  expect(await refusalOf(takeBack(payout, right))).toBe("conflict");
  expect(await refusalOf(giveBack(other, line))).toBe("conflict");
  expect(await refusalOf(takeBack({ ...payout, merchant: other.merchant }, line))).toBe("not_found");
  expect(statements.claims.get(line)).toBe(payout.reference);
  const kept = { reference: payout.reference, status: "success" };
  expect(await Promise.all([takeBack(payout, line), takeBack(payout, line)])).toEqual([kept, kept]);
  expect(await takeBack(payout, line)).toEqual(kept);
  expect(statements.claims.has(line)).toBe(false);
  await expectPaid(payout);
  await giveBack(other, line);
  await giveBack(payout, right);
  await expectReturned(other);
  await expectReturned(payout);
  expect(await refusalOf(takeBack(payout, right))).toBe("conflict");
  // Another line is free for ever.
  statements.claims.set(line, payout.reference);
  expect(await takeBack(payout, line)).toMatchObject({ status: "reversed" });
  expect(statements.claims.has(line)).toBe(false);
});

test("a taking back that dies at either commit lets no act pass, and is finished by its repeat, or by the act", async () => {
  for (const failpoint of ["fenced", "released"]) {
    const { payout, line } = await aDead();
    await dieAt(failpoint, () => takeBack(payout, line));
    expect(statements.claims.has(line)).toBe(failpoint === "fenced");
    const stop = await start();
    expect(await refusalOf(giveBack(payout, aLine()))).toBe("conflict");
    if (failpoint === "fenced") await takeBack(payout, line);
    else expect(await refusalOf(giveBack(payout, line))).toBe("conflict");
    expect(statements.claims.has(line)).toBe(false);
    await expectPaid(payout);
    await giveBack(payout, line);
    await expectReturned(payout);
    await stop();
  }
});

test("an act that is taken back while it is in progress returns nothing, also after another one has begun", async () => {
  await start();
  const [payout, line] = [await aPaid(), aLine()];
  statements.onClaim = () => takeBack(payout, line).then(() => {});
  expect(await refusalOf(giveBack(payout, line))).toBe("conflict");
  expect(statements.claims.has(line)).toBe(false);
  await expectPaid(payout);
  // The line is free and the next act has begun, when the first one finds it claimed by itself.
  const events: string[] = [];
  statements.onClaim = async () => {
    statements.onClaim = async () => {
      events.push("next");
      await until("the first act has ended", () => events.includes("refused"));
    };
    await takeBack(payout, line);
    events.push("taken back");
    await until("the next act has begun", () => events.includes("next"));
  };
  const first = refusalOf(giveBack(payout, line)).finally(() => events.push("refused"));
  await until("it is taken back", () => events.includes("taken back"));
  const next = refusalOf(giveBack(payout, line));
  expect([await first, await next]).toEqual(["conflict", "conflict"]);
  expect(statements.claims.has(line)).toBe(false);
  await expectPaid(payout);
  statements.onClaim = async () => {};
  await giveBack(payout, line);
  await expectReturned(payout);
});

test("what statements refuses is not kept, and what it does not answer is", async () => {
  await start();
  const [payout, line, right] = [await aPaid(), aLine(), aLine()];
  statements.claims.set(line, payout.reference);
  statements.refuses = true;
  expect(await refusalOf(giveBack(payout, line))).toBe("conflict");
  expect(statements.claims.has(line)).toBe(false);
  statements.refuses = false;
  statements.onClaim = async () => {
    throw new Error("it is not well");
  };
  expect(await refusalOf(giveBack(payout, line))).toBe("internal_error");
  statements.onClaim = async () => {};
  expect(await refusalOf(giveBack(payout, right))).toBe("conflict");
  await giveBack(payout, line);
  await expectReturned(payout);
});

test("after a restore of payments the claim of a dead act stands alone: act and taking back both end it", async () => {
  for (const ends of [giveBack, takeBack]) {
    const { payout, line } = await aDead();
    await owner.query("update transfers set return_fence = null where reference = $1", [payout.reference]);
    const stop = await start();
    expect(await refusalOf(giveBack(payout, aLine()))).toBe("conflict");
    await ends(payout, line);
    if (ends === takeBack) {
      expect(statements.claims.has(line)).toBe(false);
      await expectPaid(payout);
      await giveBack(payout, aLine());
    }
    await expectReturned(payout);
    await stop();
  }
});
