export { type Bus, bus, connectBus } from "./connect.ts";
export { type ConsumeContext, type Consumer, consume, consumeByStatement, consumeEvents } from "./consume.ts";
export { answerDeadLetters } from "./dead-letters.ts";
export { migrateBus } from "./migrate.ts";
export { answer, type Request, serveRequests } from "./requests.ts";
export { durableName, ensureStreams, partitionOf, streamName, subjectOf } from "./streams.ts";
