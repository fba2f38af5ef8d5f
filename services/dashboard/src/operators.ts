import { brokerOf, bus, connectBus } from "@collect/bus";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { readOperatorsConfig } from "./config.ts";
import { createOperatorsApp } from "./http/operators/app.ts";

/** The process of the operators' pages: the dashboard's image with another command. */
const config = readOperatorsConfig();
await startTracing("operators");
const log = createLogger("operators", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const connection = await connectBus({ ...brokerOf(config), name: "operator", log });

  return [traces(log), bus(connection), ...createOperatorsApp({ config, bus: connection, log })];
});
