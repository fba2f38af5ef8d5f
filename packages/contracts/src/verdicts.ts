/** A fact on its way to its consumers, a request on its way to its service, and the reply on its way back. */
export type Message = "event" | "request" | "reply";

type Verdict = { is: "refused" | "reported"; because: string };
const refused = (because: string): Verdict => ({ is: "refused", because });
const reported = (because: string): Verdict => ({ is: "reported", because });
/** Nothing breaks. */
const fine = undefined;

const ADDITIONS_ONLY = refused("A .v1 changes by addition only: declare a .v2 beside it.");
const ANOTHER_REQUEST = refused("The last release sends it: declare another request beside this one.");
const SERVICES_FIRST = reported("The last release refuses it: release every service before a caller sends it.");
const CALLERS_FIRST = reported("The last release does not know it: release every caller before a service sends it.");
const GO_ON_SENDING = reported("The last release needs it: every process of this one still has to send it.");

/**
 * The rule of two releases, side by side: what the last one sends must be valid in this one, and what this one sends in the
 * last. A change that breaks this whatever the code does is refused. One that breaks it only once the code makes use of it is
 * reported: the next release may.
 */
const VERDICTS = {
  "required field added": {
    event: refused("Stored facts lack it: make it .optional()."),
    request: refused("Callers of the last release do not send it: make it .optional()."),
    reply: refused("Services of the last release do not send it: make it .optional() until the release after."),
  },
  "optional field added": {
    event: fine,
    request: reported("Services of the last release ignore it: release the service before its callers rely on it."),
    reply: fine,
  },
  "made required": {
    event: refused("Stored facts may lack it: leave it .optional()."),
    request: refused("Callers of the last release may leave it out: leave it .optional()."),
    reply: reported("Right only if every service of the last release always sends it."),
  },
  "made optional": { event: ADDITIONS_ONLY, request: GO_ON_SENDING, reply: GO_ON_SENDING },
  "required field removed": {
    event: ADDITIONS_ONLY,
    request: ANOTHER_REQUEST,
    reply: refused("Callers of the last release need it: make it .optional() and go on sending it in this release."),
  },
  "optional field removed": { event: ADDITIONS_ONLY, request: ANOTHER_REQUEST, reply: fine },
  "value added": { event: CALLERS_FIRST, request: SERVICES_FIRST, reply: CALLERS_FIRST },
  "value removed": {
    event: ADDITIONS_ONLY,
    request: ANOTHER_REQUEST,
    reply: refused("The last release still sends it."),
  },
  "type added": {
    event: ADDITIONS_ONLY,
    request: SERVICES_FIRST,
    reply: refused("Callers of the last release cannot read it: add another field."),
  },
  narrowed: { event: ADDITIONS_ONLY, request: ANOTHER_REQUEST, reply: fine },
  widened: { event: ADDITIONS_ONLY, request: SERVICES_FIRST, reply: fine },
  changed: {
    event: ADDITIONS_ONLY,
    request: ANOTHER_REQUEST,
    reply: refused("Callers of the last release cannot read it: add another field."),
  },
} satisfies Record<string, Record<Message, Verdict | undefined>>;

export type Kind = keyof typeof VERDICTS;

export const verdictOn = (kind: Kind, message: Message): Verdict | undefined => VERDICTS[kind][message];
