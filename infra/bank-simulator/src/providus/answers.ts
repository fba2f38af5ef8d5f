import type { Response } from "express";

/** How the collection service ends an operation. */
export const outcome = (responseCode: string, responseMessage: string) => ({
  requestSuccessful: responseCode === "00",
  responseMessage,
  responseCode,
});

/** What the bank answers when its own program fails: the page of a Java server. */
export function stackTrace(response: Response): void {
  response.status(500).json({
    timestamp: new Date().toISOString().replace("Z", "+0000"),
    status: 500,
    error: "Internal Server Error",
    message: "java.lang.NullPointerException",
    path: response.req.originalUrl,
  });
}
