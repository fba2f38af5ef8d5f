import { brokerOf, bus, connectBus, createFactSeal } from "@collect/bus";
import { connectionOf, createPools, databases, KEY_LOOKUPS_ONLY } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { aPoolPartner } from "./pool-bank.ts";

/** The service as main.ts composes it, with the bank of this URL as its only partner. */
const config = readConfig();
const log = createLogger("accounts", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const pools = createPools({ ...connectionOf(config), service: "accounts", log, settings: KEY_LOOKUPS_ONLY });
  const seal = createFactSeal(config.FACT_KEY);
  const connection = await connectBus({ ...brokerOf(config), name: "accounts", log, seal });
  const partner = aPoolPartner(process.argv[2] ?? "");
  const partners = { all: [partner], standard: partner, own: undefined };
  return [
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log, partners, pooling: { everyMs: 20, pauseMs: 20 } }),
  ];
});
