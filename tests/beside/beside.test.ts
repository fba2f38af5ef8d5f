import { beforeAll, expect, test } from "vitest";
import { checkOut, findLastRelease } from "./last-release.ts";
import { FORWARD_AND_BACK, playBeside } from "./matrix.ts";

const last = await findLastRelease();
const why = last ? "" : " (not played: the commit of the last release is not in this clone)";
let tree = "";
beforeAll(async () => {
  if (last) tree = await checkOut(last.commit);
}, 600_000);

test.skipIf(!last)(
  `this release replaces the last one service by service while money flows, and goes back${why}`,
  async () => {
    const played: string[] = [];
    await playBeside(tree, FORWARD_AND_BACK, (line) => played.push(line));
    expect(played).toHaveLength(2 + FORWARD_AND_BACK.length);
  },
  900_000,
);
