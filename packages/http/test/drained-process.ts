import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, loadConfig, Port, PROCESS_SETTINGS, run } from "@collect/runtime";
import { z } from "zod";
import { createHttpApp, httpServer } from "../src/index.ts";

/** A process that answers at `/` after some milliseconds, and ends with the number of requests that it got. */
const config = loadConfig(z.object({ ...PROCESS_SETTINGS, PORT: Port }), process.env);
const log = createLogger("drained", "info");
let got = 0;
const app = createHttpApp({
  log: createLogger("drained", "silent"),
  routes: (app) =>
    void app.get("/", async (_request, response) => {
      got++;
      await sleep(20);
      response.json({ served: true });
    }),
});
process.once("exit", () => log.info({ got }, "exit"));
await run({ config, log }, () => [httpServer({ app, host: "127.0.0.1", port: config.PORT, log })]);
