import { checkOut, findLastRelease } from "./last-release.ts";
import { EVERY_PAIR, playBeside } from "./matrix.ts";

/** npm run beside: this release's services one by one beside the last release's; exits with 1 if anything is refused or lost. */
const last = await findLastRelease();
if (!last) {
  console.error("The commit of the last release is not in this clone: git fetch --unshallow");
  process.exit(1);
}
console.log(`the last release is ${last.commit}; ${last.changed.length} files of services and packages differ`);
const tree = await checkOut(last.commit);
await playBeside(tree, EVERY_PAIR, (line) => console.log(line));
process.exit(0);
