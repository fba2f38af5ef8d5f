import { EVENTS, type FactEvent, MODES, REQUESTS, type ServiceName } from "@collect/contracts";
import { durableName, type Mode, streamName } from "../connection/streams.ts";

/** What a user of the broker may publish to and subscribe to; `subject queue` is a subscription in that queue group only. */
export type Permissions = { publish: string[]; subscribe: string[] };

/** The user of the job `streams`, which maintains all streams and durables. */
export const MIGRATE = "migrate";

/**
 * Everything that a service does on the bus, as the contracts declare it, and nothing else. Responses go to an inbox that
 * the caller has for each service: a service can answer only for itself.
 */
export function permissionsOf(service: ServiceName): Permissions {
  const answered = REQUESTS.filter(({ to }) => to === service);
  const published = EVENTS.filter(({ from }) => from === service);
  const consumed = EVENTS.filter(({ to }) => to.includes(service));
  return {
    publish: distinct([
      ...REQUESTS.filter(({ callers }) => callers.includes(service)).map(({ subject }) => subject),
      ...answered.flatMap(({ callers }) => callers.map((caller) => responsesTo(caller, service))),
      ...inEachMode(published, (event, mode) => [`${event.subject}.${mode}.*`, ...maintainStream(event, mode)]),
      ...inEachMode(consumed, (event, mode) => consumeFrom(event, service, mode)),
      ...inEachMode(readBy(service), readBacklog),
    ]),
    subscribe: distinct([
      `${inboxPrefix(service)}.>`,
      ...answered.map(({ subject }) => `${subject} ${service}`),
      ...EVENTS.filter(({ listeners }) => listeners?.includes(service)).map(({ subject }) => `${subject}.>`),
    ]),
  };
}

/** Everything about streams and durables but reading them. */
export function migratePermissions(): Permissions {
  return {
    publish: [
      "$JS.API.STREAM.LIST",
      ...["INFO", "CREATE", "UPDATE", "DELETE"].map((act) => `$JS.API.STREAM.${act}.*`),
      "$JS.API.CONSUMER.LIST.*",
      ...["INFO", "DELETE"].map((act) => `$JS.API.CONSUMER.${act}.*.*`),
      "$JS.API.CONSUMER.CREATE.*.*.>",
    ],
    subscribe: [`${inboxPrefix(MIGRATE)}.>`],
  };
}

/** The account of the process that serves the operators' pages. */
export const OPERATOR_PAGES = "operator-pages";

/** The requests that an account of operators imports, and may send: all of operators, or what their pages forward. */
export const operatorRequests = (account: string): string[] =>
  REQUESTS.filter(({ callers, operatorPages = false }) =>
    account === OPERATOR_PAGES ? operatorPages : callers.includes("operator"),
  ).map(({ subject }) => subject);

export const operatorPermissions = (account: string): Permissions => ({
  publish: operatorRequests(account),
  subscribe: [`${inboxPrefix("operator")}.>`],
});

export const inboxPrefix = (user: string): string => `_INBOX_${user}`;

/** Where the responses of a service to a caller arrive. */
export const responseInbox = (caller: string, service: ServiceName): string => `${inboxPrefix(caller)}.${service}`;

/**
 * Between accounts the broker replaces the reply subject by one that begins with this, and no client may use such a
 * subject in a request of its own.
 */
export const ACROSS_ACCOUNTS = "_R_.";

/**
 * Whether a response can go there. A request with another reply subject is ignored: its sender would choose what the
 * responding service publishes to. `_INBOX.` is the prefix of earlier releases.
 */
export const isInbox = (reply = ""): boolean => /^(_INBOX[._]|_R_\.)/.test(reply);

const responsesTo = (caller: string, service: ServiceName) =>
  caller === "operator" ? `${ACROSS_ACCOUNTS}>` : `${responseInbox(caller, service)}.>`;

/** A publisher creates its stream and the durables of its consumers: a fact published before them would be dropped. */
function maintainStream(event: FactEvent, mode: Mode): string[] {
  const stream = streamName(event.from, mode);
  return [
    infoOfStream(event, mode),
    `$JS.API.STREAM.CREATE.${stream}`,
    ...event.to.flatMap((to) => [infoOf(event, to, mode), createOf(event, to, mode)]),
  ];
}

function consumeFrom(event: FactEvent, service: ServiceName, mode: Mode): string[] {
  const stream = streamName(event.from, mode);
  const durable = durableName(event, service, mode);
  return [
    infoOf(event, service, mode),
    createOf(event, service, mode),
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** How far its consumers are, and what the last message is. */
const readBacklog = (event: FactEvent, mode: Mode) => [
  infoOfStream(event, mode),
  ...event.to.map((to) => infoOf(event, to, mode)),
];

const infoOfStream = (event: FactEvent, mode: Mode) => `$JS.API.STREAM.INFO.${streamName(event.from, mode)}`;

const infoOf = (event: FactEvent, to: ServiceName, mode: Mode) =>
  `$JS.API.CONSUMER.INFO.${streamName(event.from, mode)}.${durableName(event, to, mode)}`;

/** The filter is part of the subject: the durable cannot be created with another. */
const createOf = (event: FactEvent, to: ServiceName, mode: Mode) =>
  `$JS.API.CONSUMER.CREATE.${streamName(event.from, mode)}.${durableName(event, to, mode)}.${event.subject}.${mode}.*`;

const readBy = (service: ServiceName) => EVENTS.filter(({ backlogReaders }) => backlogReaders?.includes(service));

const inEachMode = (events: FactEvent[], subjects: (event: FactEvent, mode: Mode) => string[]) =>
  events.flatMap((event) => MODES.flatMap((mode) => subjects(event, mode)));

const distinct = (subjects: string[]) => [...new Set(subjects)];
