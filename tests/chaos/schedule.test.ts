import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { FAULT_KINDS, planChaos, targetsOf } from "./schedule.ts";

const options = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  seconds: fc.integer({ min: 10, max: 1_200 }),
  kinds: fc.uniqueArray(fc.constantFrom(...FAULT_KINDS), { minLength: 1 }),
  merchants: fc.integer({ min: 1, max: 9 }),
  replicas: fc.integer({ min: 1, max: 5 }),
  burst: fc.integer({ min: 0, max: 10_000 }),
  gapMs: fc.constantFrom(1_000, 6_000, 30_000),
  everyMs: fc.constantFrom(undefined, 10_000),
});

test("the same seed gives the same schedule, and another seed a different one", () => {
  const given = { seconds: 600, kinds: FAULT_KINDS, merchants: 4, replicas: 2, burst: 1_000, gapMs: 6_000 };
  expect(planChaos({ seed: 7, ...given })).toEqual(planChaos({ seed: 7, ...given }));
  expect(planChaos({ seed: 7, ...given })).not.toEqual(planChaos({ seed: 8, ...given }));
});

test("every fault is of a requested kind, on a target of that kind, and ends before the run does", () => {
  fc.assert(
    fc.property(options, (given) => {
      for (const { kind, target, at, forMs, merchant } of planChaos(given).faults) {
        expect(given.kinds).toContain(kind);
        expect(targetsOf(kind, given.replicas)).toContain(target);
        expect(at + forMs).toBeLessThanOrEqual(given.seconds * 1_000);
        expect(merchant).toBeLessThan(given.merchants);
      }
    }),
  );
});

test("two faults never overlap on one target", () => {
  fc.assert(
    fc.property(options, (given) => {
      const { faults } = planChaos(given);
      for (const all of Map.groupBy(faults, ({ target }) => target).values())
        for (const [index, fault] of all.entries()) {
          const last = all[index - 1];
          if (last) expect(fault.at).toBeGreaterThan(last.at + last.forMs);
        }
    }),
  );
});

test("ten minutes contain every kind", () => {
  const given = { seconds: 600, merchants: 4, replicas: 2, burst: 0, gapMs: 6_000 };
  const { faults } = planChaos({ seed: 1, kinds: FAULT_KINDS, ...given });
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
});

test("with an interval a fault begins each time it has passed, whatever the others last, and every replica has its turn", () => {
  const given = { seconds: 3_600, merchants: 4, replicas: 3, burst: 0, gapMs: 6_000, everyMs: 10_000 };
  const { faults } = planChaos({ seed: 1, kinds: ["kill"], ...given });
  const between = faults.slice(1).map(({ at }, index) => at - (faults[index]?.at ?? 0));
  expect(new Set(between)).toEqual(new Set([10_000]));
  expect(new Set(faults.map(({ target }) => target))).toEqual(new Set(targetsOf("kill", 3)));
  expect(targetsOf("kill", 3)).toHaveLength(7 * 3);
});

test("the numbers of a seed are uniformly distributed, and two labels have different sequences", () => {
  const random = createRandom(1, "a");
  const counts = new Map<number, number>();
  for (let n = 0; n < 10_000; n++) {
    const drawn = random.int(1, 10);
    counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  expect(createRandom(1, "a").next()).not.toBe(createRandom(1, "b").next());
});
