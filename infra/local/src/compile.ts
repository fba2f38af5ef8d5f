import { mainOf } from "./services.ts";
import { PROCESSES } from "./settings.ts";

/**
 * Loads the modules of every process once, which fills the compile cache: the processes that start afterwards read them from there.
 * One that compiles for itself takes some 15 MB more for as long as it runs, and a second of a processor. Each ends at its first
 * statement, which reads the settings: there are none.
 */
for (const name of Object.keys(process.env)) delete process.env[name];
await Promise.allSettled(PROCESSES.map((process) => import(mainOf(process))));
