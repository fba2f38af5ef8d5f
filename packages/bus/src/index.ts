export { type Bus, bus, connectBus } from "./connect.ts";
export { type ConsumeContext, type Consumer, consume, consumeByStatement, consumeEvents } from "./consume.ts";
export { answerDeadLetters } from "./dead-letters.ts";
export { CURRENT_EPOCHS, createEpochs, type Epochs, Later, type Recover, type Recovery } from "./epochs.ts";
export { migrateBus } from "./migrate.ts";
export { pages } from "./pages.ts";
export { redriveUntilHeld } from "./redrive-until-held.ts";
export { answer, type Request, serveRequests } from "./requests.ts";
export { durableName, ensureStreams, partitionOf, streamName, subjectOf } from "./streams.ts";
