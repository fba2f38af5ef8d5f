import { durableName, streamName } from "@collect/bus";
import { EVENTS, type FactEvent, MODES, type Mode, REQUESTS, SERVICES, type ServiceName } from "@collect/contracts";

/**
 * Every subject of the product, and who may use it: written down a second time, apart from packages/bus, from which the
 * broker's configuration is generated.
 */

/** `operators` is the process of the operators' pages. */
export type User = ServiceName | "migrate" | "operator" | "operators";
export const USERS: readonly User[] = [...SERVICES, "migrate", "operator", "operators"];

export const inboxOf = (user: User): string => `_INBOX_${user === "operators" ? "operator" : user}`;

type Use = { subject: string; queue?: string; by: readonly User[] };

const nobody: readonly User[] = [];
const maintainers = (event: FactEvent): User[] => [event.from, "migrate"];
const backlogReaders = (from: ServiceName) =>
  EVENTS.flatMap((event) => (event.from === from ? (event.backlogReaders ?? []) : []));
const durables = EVENTS.flatMap((event) =>
  event.to.flatMap((to) => MODES.map((mode) => ({ event, to, mode, name: durableName(event, to, mode) }))),
);
const streams = [...new Set(EVENTS.map(({ from }) => from))].flatMap((from) =>
  MODES.map((mode) => ({ from, name: streamName(from, mode) })),
);

/** What a user could publish: requests, facts, calls of JetStream's interface, acknowledgements and responses. */
export const PUBLISHES: readonly Use[] = [
  ...REQUESTS.map(({ subject, callers, operatorPages }) => ({
    subject,
    by: operatorPages ? [...callers, "operators" as const] : callers,
  })),
  ...EVENTS.flatMap((event) => MODES.map((mode) => ({ subject: `${event.subject}.${mode}.0`, by: [event.from] }))),
  ...streams.flatMap(({ from, name }) => [
    { subject: `$JS.API.STREAM.INFO.${name}`, by: [from, "migrate" as const, ...backlogReaders(from)] },
    { subject: `$JS.API.STREAM.CREATE.${name}`, by: [from, "migrate"] as const },
    { subject: `$JS.API.STREAM.UPDATE.${name}`, by: ["migrate"] as const },
    { subject: `$JS.API.STREAM.DELETE.${name}`, by: ["migrate"] as const },
    ...["PURGE", "MSG.GET", "MSG.DELETE", "SNAPSHOT", "RESTORE", "LEADER.STEPDOWN"].map((call) => ({
      subject: `$JS.API.STREAM.${call}.${name}`,
      by: nobody,
    })),
    { subject: `$JS.API.DIRECT.GET.${name}`, by: nobody },
    { subject: `$JS.API.CONSUMER.LIST.${name}`, by: ["migrate"] as const },
    { subject: `$JS.API.CONSUMER.NAMES.${name}`, by: nobody },
    { subject: `$JS.API.CONSUMER.CREATE.${name}`, by: nobody },
  ]),
  ...durables.flatMap(({ event, to, mode, name }) => usesOfDurable({ event, to, mode, name })),
  ...["$JS.API.INFO", "$JS.API.STREAM.NAMES", "$SYS.REQ.SERVER.PING", "$SRV.PING", "anything.else"].map((subject) => ({
    subject,
    by: nobody,
  })),
  { subject: "$JS.API.STREAM.LIST", by: ["migrate"] },
  ...SERVICES.flatMap((caller) => [
    { subject: `_INBOX_${caller}.own`, by: nobody },
    ...SERVICES.map((service) => ({
      subject: `_INBOX_${caller}.${service}.response`,
      by: REQUESTS.some(({ callers, to }) => to === service && callers.includes(caller)) ? [service] : nobody,
    })),
  ]),
];

function usesOfDurable(given: { event: FactEvent; to: ServiceName; mode: Mode; name: string }): Use[] {
  const { event, to, mode, name } = given;
  const path = `${streamName(event.from, mode)}.${name}`;
  const filter = `${event.subject}.${mode}.*`;
  return [
    { subject: `$JS.API.CONSUMER.INFO.${path}`, by: [...maintainers(event), to, ...(event.backlogReaders ?? [])] },
    { subject: `$JS.API.CONSUMER.CREATE.${path}.${filter}`, by: [...maintainers(event), to] },
    // With another filter it would read other facts of the stream. The job `streams` may read nothing at all.
    { subject: `$JS.API.CONSUMER.CREATE.${path}.${event.from}.>`, by: ["migrate"] },
    { subject: `$JS.API.CONSUMER.CREATE.${path}`, by: nobody },
    { subject: `$JS.API.CONSUMER.DURABLE.CREATE.${path}`, by: nobody },
    { subject: `$JS.API.CONSUMER.DELETE.${path}`, by: ["migrate"] },
    { subject: `$JS.API.CONSUMER.MSG.NEXT.${path}`, by: [to] },
    { subject: `$JS.ACK.${path}.1.1.1.1.0`, by: [to] },
  ];
}

/** What a user could subscribe to. */
export const SUBSCRIPTIONS: readonly Use[] = [
  ...REQUESTS.flatMap(({ subject, to }) => [
    { subject, queue: to, by: [to] },
    { subject, queue: "another", by: nobody },
    { subject, by: nobody },
  ]),
  ...EVENTS.flatMap(({ subject, listeners = [] }) => [
    { subject: `${subject}.>`, by: listeners },
    { subject: `${subject}.live.0`, by: listeners },
  ]),
  ...[...SERVICES, "migrate" as const].map((user) => ({ subject: `${inboxOf(user)}.>`, by: [user] })),
  { subject: `${inboxOf("operator")}.>`, by: ["operator", "operators"] },
  ...[">", "*.>", "*.*.*", "_INBOX.>", "_R_.>", "$JS.>", "$JS.API.>", "$JS.ACK.>", "$JS.EVENT.>", "$SYS.>"].map(
    (subject) => ({ subject, by: nobody }),
  ),
  ...SERVICES.map((service) => ({ subject: `${service}.>`, by: nobody })),
];
