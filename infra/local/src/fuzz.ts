import { runInTests } from "./run-in-tests.ts";

/** npm run fuzz: calls made from the document, on a separate stack. */
await runInTests("fuzz/main.ts");
