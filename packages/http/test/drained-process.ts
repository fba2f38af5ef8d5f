import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, loadConfig, Port, PROCESS_SETTINGS, run } from "@collect/runtime";
import { z } from "zod";
import { createHttpApp, httpServer } from "../src/index.ts";

/** A process that answers at `/` after some milliseconds. */
const config = loadConfig(z.object({ ...PROCESS_SETTINGS, PORT: Port }), process.env);
const log = createLogger("drained", "info");
const app = createHttpApp({
  log: createLogger("drained", "silent"),
  routes: (app) =>
    void app.get("/", async (_request, response) => {
      await sleep(20);
      response.json({ served: true });
    }),
});
await run({ config, log }, () => [httpServer({ app, host: "127.0.0.1", port: config.PORT, log })]);
