import { Problem } from "@collect/contracts";

/** The body of a notification. Throws the Problem `malformed_body`, without the parser's error, which quotes the body. */
export function parseNotification(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw new Problem("malformed_body", "The body is not valid JSON.");
  }
}

/** The body of a response. Replaces the parser's error, which quotes its input and would be logged as the cause. */
export function parseResponse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the partner bank answered with invalid JSON");
  }
}
