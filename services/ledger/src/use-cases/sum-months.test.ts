import { expect, test } from "vitest";
import { NOTHING } from "../domain/books.ts";
import { createSums } from "./sum-months.ts";

const merchant = (id: string) => ({ id, mode: "live" as const });
const upTo = (version: bigint) => ({
  start: { collected: 0n, payouts: 0n, settled: 0n },
  end: { collected: version, payouts: 0n, settled: 0n },
});

/** Sums that end when the test says so. */
function someSums() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const sum = createSums(({ id }, { end }) => {
    begun.push(`${id} ${end.collected}`);
    return new Promise((resolve) => ends.push(() => resolve({ sum: NOTHING, count: Number(end.collected) })));
  });
  const untilBegun = (count: number) => expect.poll(() => begun.length).toBe(count);
  return { sum, begun, end: () => ends.shift()?.(), untilBegun };
}

test("a merchant's sums run one after the other, the same one once, and another merchant's do not wait for them", async () => {
  const { sum, begun, end, untilBegun } = someSums();
  const asked = [
    sum(merchant("mer_1"), upTo(1n)),
    sum(merchant("mer_1"), upTo(1n)),
    sum(merchant("mer_1"), upTo(2n)),
    sum(merchant("mer_2"), upTo(1n)),
  ];
  await untilBegun(2);
  expect(begun).toEqual(["mer_1 1", "mer_2 1"]);
  end();
  await untilBegun(3);
  expect(begun.at(-1)).toBe("mer_1 2");
  end();
  end();
  expect((await Promise.all(asked)).map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  const again = sum(merchant("mer_1"), upTo(1n));
  await untilBegun(4);
  end();
  expect((await again).count).toBe(1);
});

test("a merchant cannot have sums without end wait", async () => {
  const { sum } = someSums();
  for (let version = 1n; version <= 21n; version++) void sum(merchant("mer_1"), upTo(version));
  await expect(sum(merchant("mer_1"), upTo(22n))).rejects.toMatchObject({ code: "service_unavailable" });
});
