import { expect, test } from "vitest";
import { checkOut, findLastRelease } from "./last-release.ts";
import { forthAndBack, ORDER, playBeside } from "./matrix.ts";

const last = await findLastRelease();

test.skipIf(!last)(
  "this release replaces the last one service by service, and is replaced by it again, while money flows",
  async () => {
    const lines: string[] = [];
    await playBeside(await checkOut(last?.commit ?? ""), forthAndBack(ORDER), (line) => lines.push(line));
    expect(lines).toHaveLength(2 + 2 * ORDER.length);
  },
  300_000,
);
