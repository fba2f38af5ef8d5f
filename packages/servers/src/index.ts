export { type Authority, createAuthority } from "./certificates.ts";
export { type Child, endChild, startChild, untilReady } from "./child.ts";
export { CACHE, unpackDebian } from "./debian-package.ts";
export { type NatsServer, startNats } from "./nats.ts";
export { findNats } from "./nats-binary.ts";
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.ts";
export { freePort, portIsFree, steadyPort } from "./port.ts";
export { type PostgresServer, startPostgres } from "./postgres.ts";
export { openWire, type Wire } from "./wire.ts";
