import { brokerOf, bus, connectBus } from "@collect/bus";
import { createLogger, run } from "@collect/runtime";
import { readOperatorsConfig } from "./config.ts";
import { createOperatorsApp } from "./http/operators/app.ts";

/** The process of the operators' pages: the dashboard's image with another command. */
const config = readOperatorsConfig();
const log = createLogger("operators", config.LOG_LEVEL);
const connection = await connectBus({ ...brokerOf(config), name: "operator", log });
await run({ config, log }, [bus(connection), ...createOperatorsApp({ config, bus: connection, log })]);
