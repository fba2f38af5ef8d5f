import { flushCompileCache } from "node:module";

// Node writes its compile cache when a process exits by itself; the processes of a stack are mostly killed.
setTimeout(flushCompileCache, 1_000).unref();
