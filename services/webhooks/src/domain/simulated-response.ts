import type { ReceiverScenario } from "@collect/contracts";
import type { Job } from "./job.ts";

/** The result of an attempt. A status with an error is simulated: the error says so for as long as the attempt is kept. */
type Result =
  | { status: number; response: string; retryAfter: string | undefined; error?: string }
  | { status: null; error: string };

/** What the merchant's server is to do with this attempt; undefined for what it really does, as in each round that a replay begins. */
export function simulatedFor({
  simulated,
  attempt,
  attemptsBefore,
}: Pick<Job, "simulated" | "attempt" | "attemptsBefore">): ReceiverScenario | undefined {
  return attemptsBefore === 0 ? simulated?.[attempt - 1] : undefined;
}

/** The result of an attempt: `post` calls the merchant's server, which most simulations leave alone. */
export async function respond(simulated: ReceiverScenario | undefined, post: () => Promise<Result>): Promise<Result> {
  switch (simulated) {
    case undefined:
      return post();
    case "receiver_fails":
      return withStatus(500);
    case "receiver_redirects":
      return withStatus(302);
    case "receiver_times_out":
      return withoutResponse("no answer in time");
    case "receiver_resets_connection":
      return withoutResponse("ECONNRESET: the connection was reset");
    case "response_lost": {
      const result = await post();
      const isAcknowledged = result.status !== null && result.status >= 200 && result.status < 300;
      return isAcknowledged ? withoutResponse(`the response with status ${result.status} was lost`) : result;
    }
    default:
      return simulated satisfies never;
  }
}

const withStatus = (status: number): Result => ({
  status,
  response: "",
  retryAfter: undefined,
  error: `simulated: status ${status}; your server was not called`,
});

const withoutResponse = (what: string): Result => ({ status: null, error: `simulated: ${what}` });
