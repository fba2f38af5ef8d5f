export { type ApiContract, type ApiOperation, type ExpectedAnswer, readApiContract } from "./api-contract.ts";
export {
  brokerAt,
  busEnvironment,
  connectAs,
  connectAsOthers,
  FACT_KEY,
  OPERATORS,
  ORDER_KEY,
  PAYOUT_KEY,
  SEEDS,
  startBroker,
  TEST_USERS,
} from "./broker.ts";
export { aMerchant, aTransfer, randomId } from "./builders.ts";
export { startComponents } from "./components.ts";
export { freshDatabase } from "./databases.ts";
export { type FactLog, recordFacts } from "./facts.ts";
export { usePlans, useWorld } from "./hooks.ts";
export { openMailbox, type ReceivedMail, tokenIn } from "./mailbox.ts";
export { mt940, type Statement, type StatementLine } from "./mt940.ts";
export { opsAs, type Run } from "./operator.ts";
export { countRowsRead } from "./plans.ts";
export { isSigned, type Received, startReceiver, type WebhookReceiver } from "./receiver.ts";
export { type ServiceProcess, startServiceProcess } from "./service-process.ts";
export { until } from "./until.ts";
export { openWorld, poolsOf, type World } from "./world.ts";
