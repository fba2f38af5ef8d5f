import { runInTests } from "./run-in-tests.ts";

/** npm run chaos: the faults of tests/chaos, on a separate stack. */
await runInTests("chaos/main.ts");
