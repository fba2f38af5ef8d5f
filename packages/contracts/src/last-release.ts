import { z } from "zod";
import { both, compare, type Findings } from "./compatibility.ts";
import { bare, type JsonSchema } from "./json-schema.ts";
import type { Caller, RequestContract, SealName } from "./message.ts";

/** A request as a release declares it, with the schemas of its JSON on the bus. */
export type RecordedRequest = { callers: readonly Caller[]; sealed?: SealName; input: JsonSchema; reply: JsonSchema };
/** By subject. */
export type RecordedRequests = Record<string, RecordedRequest>;

/** What the next release is compared with. */
export function recordOf({ callers, sealed, input, output }: RequestContract): RecordedRequest {
  return { callers, ...(sealed && { sealed }), input: onTheBus(input), reply: onTheBus(output) };
}

/** Both are what is sent: only the service that responds parses the one and encodes the other. */
function onTheBus(schema: z.ZodType): JsonSchema {
  return bare(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema);
}

/** What the changes since the last release mean while its processes run beside those of this one. */
export function findingsOfRequests(recorded: RecordedRequests, requests: readonly RequestContract[]): Findings {
  const current = new Map(requests.map((request) => [request.subject, recordOf(request)]));
  return both(
    Object.entries(recorded).map(([subject, last]) => {
      const next = current.get(subject);
      return next ? changed(subject, last, next) : removed(subject, last);
    }),
  );
}

/** A release without callers is between the two that have and lack it. */
function removed(subject: string, { callers }: RecordedRequest): Findings {
  const senders = callers.join(", ");
  const lost = `${subject} is not declared any more. ${senders} of the last release send it: leave it in this one, without callers.`;
  return { refused: senders ? [lost] : [], reported: [] };
}

function changed(subject: string, last: RecordedRequest, next: RecordedRequest): Findings {
  const gone = last.callers.filter((caller) => !next.callers.includes(caller));
  return both([
    compare("request", { path: `${subject} (input)`, last: last.input, next: next.input }),
    compare("reply", { path: `${subject} (reply)`, last: last.reply, next: next.reply }),
    {
      refused:
        last.sealed === next.sealed ? [] : [`${subject} is sealed otherwise. Declare another request beside it.`],
      reported: gone.map(
        (caller) =>
          `${subject} does not name ${caller} any more. Replace ${caller} before the broker gets its new permissions.`,
      ),
    },
  ]);
}
