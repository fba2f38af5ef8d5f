import { httpServer } from "@collect/http";
import { createLogger, loadConfig, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { banksOf } from "./banks.ts";
import { Config } from "./config.ts";

const log = createLogger("bank-simulator");
const config = loadConfig(Config, process.env);
const banks = banksOf(config, log);
const app = createApp({ log, banks });
await run({ config, log }, () => [
  ...banks.map(({ reporter }) => reporter),
  httpServer({ app, host: config.HOST, port: config.PORT, log }),
]);
