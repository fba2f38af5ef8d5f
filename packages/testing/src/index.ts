export { aMerchant, aTransfer, randomId } from "./builders.ts";
export { startComponents } from "./components.ts";
export { freshDatabase } from "./databases.ts";
export { type FactLog, recordFacts } from "./facts.ts";
export { usePlans, useWorld } from "./hooks.ts";
export { countRowsRead } from "./plans.ts";
export { isSigned, type Received, startReceiver, type WebhookReceiver } from "./receiver.ts";
export { until } from "./until.ts";
export { connectAsOthers, openWorld, poolsOf, type World } from "./world.ts";
