import type { FactEvent, RequestContract } from "@collect/contracts";
import type { Step } from "@collect/telemetry";
import type { Mode } from "./connection/streams.ts";
import type { Unpacked } from "./consuming/unpack.ts";

/** The steps of a trace on the bus. What is published or requested in one carries it on, message by message. */
export const publishing = (event: FactEvent, messages: number): Step => ({
  name: `publish ${event.subject}`,
  kind: "PRODUCER",
  attributes: {
    ...about(event, { name: "publish", type: "send" }),
    "messaging.batch.message_count": messages,
  },
});

export const processing = (event: FactEvent, mode: Mode, batch: Unpacked[]): Step => ({
  name: `process ${event.subject}`,
  kind: "CONSUMER",
  attributes: {
    ...about(event, { name: "process", type: "process" }),
    "messaging.batch.message_count": batch.length,
    "collect.facts": batch.reduce((sum, { items }) => sum + items.length, 0),
    "collect.mode": mode,
  },
});

export const requesting = (contract: RequestContract): Step => ({
  name: `request ${contract.subject}`,
  kind: "CLIENT",
  attributes: about(contract, { name: "request", type: "send" }),
});

export const responding = (contract: RequestContract): Step => ({
  name: `respond ${contract.subject}`,
  kind: "SERVER",
  attributes: about(contract, { name: "respond", type: "process" }),
});

const about = ({ subject }: { subject: string }, operation: { name: string; type: string }) => ({
  "messaging.system": "nats",
  "messaging.destination.name": subject,
  "messaging.operation.name": operation.name,
  "messaging.operation.type": operation.type,
});
