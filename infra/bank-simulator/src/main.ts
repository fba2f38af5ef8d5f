import { httpServer } from "@collect/http";
import { createLogger, loadConfig, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { Config } from "./config.ts";
import { createSender } from "./sender.ts";

const log = createLogger("bank-simulator");
const config = loadConfig(Config, process.env);
const sender = createSender({ doorUrl: config.BANK_DOOR_URL, secret: config.BANK_DOOR_SECRET[0], log });
const app = createApp({
  log,
  bank: { code: config.BANK_CODE, name: config.BANK_NAME },
  secrets: config.BANK_API_SECRET,
  dataDirectory: config.DATA_DIR,
  sender,
});
await run({ config, log }, () => [sender, httpServer({ app, host: config.HOST, port: config.PORT, log })]);
