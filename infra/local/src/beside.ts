import { runInTests } from "./run-in-tests.ts";

/** npm run beside: this release's services one by one beside the last release's, as in tests/beside. */
await runInTests("beside/main.ts");
