import { expect, test } from "vitest";
import { checkOut, findLastRelease } from "./last-release.ts";
import { FORWARD_AND_BACK, playBeside } from "./matrix.ts";

const last = await findLastRelease();
const why = last ? "" : " (not played: the commit of the last release is not in this clone)";

test.skipIf(!last)(
  `this release replaces the last one service by service while money flows, and goes back${why}`,
  async () => {
    const played: string[] = [];
    await playBeside(await checkOut(last?.commit ?? ""), FORWARD_AND_BACK, (line) => played.push(line));
    expect(played).toHaveLength(2 + FORWARD_AND_BACK.length);
  },
  300_000,
);
