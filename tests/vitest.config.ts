import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes minutes and guards no path of money is left to `npm run test:long`. */
const isLong = process.env.TESTS === "long";

/** Files that take half a minute or more, longest first: started last, one of them would run alone at the end. */
const FIRST = [
  "browser/every-page",
  "beside/beside",
  "flows/returned-payout",
  "faults/chaos",
  "faults/killed-services",
  "faults/restore-payments",
  "faults/restore-accounts",
  "faults/alerts",
  "faults/restore-ledger",
  "faults/restore-webhooks",
  "faults/audit",
  "flows/clock",
  "flows/erasure",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const position = FIRST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return position === -1 ? FIRST.length : position;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * Every file has a whole stack of about nine processes. Two files at a time, one a processor: with three, which took a tenth less, a slow
 * machine starved the files that prove a bound of time, or who waits for whom.
 */
export default defineConfig({
  test: {
    globalSetup: "stack/scratch.ts",
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Every look of a page is five times those that are usual.
    testTimeout: process.env.LOOKS === "all" ? 450_000 : 180_000,
    hookTimeout: 180_000,
    // One second by default, in which a busy machine may not even have drawn a page.
    expect: { poll: { timeout: 20_000 } },
    include: [isLong ? "**/*.long.test.ts" : "**/!(*.long).test.ts"],
  },
});
