import { runInTests } from "./run-in-tests.ts";

/** npm run drill: a server lost and restored from its backup, as in tests/drill. */
await runInTests("drill/main.ts");
