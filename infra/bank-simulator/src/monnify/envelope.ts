import type { ErrorRequestHandler, RequestHandler, Response } from "express";

/** A refusal as Monnify writes it. Code 99 is its word for most of them; disbursements have codes of their own. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, message: string, code = "99") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const success = (responseBody: unknown) => ({
  requestSuccessful: true,
  responseMessage: "success",
  responseCode: "0",
  responseBody,
});

/** Renders what the routes before it throw; other errors are the simulator's own. */
export const renderRefusal: ErrorRequestHandler = (error: unknown, _request, response: Response, next) => {
  if (!(error instanceof Refusal)) return next(error);
  const { status, code, message } = error;
  response.status(status).json({ requestSuccessful: false, responseMessage: message, responseCode: code });
};

/** The answer to a call without a valid token is not in the envelope. */
export const requireToken =
  (isValid: (token: string) => boolean): RequestHandler =>
  (request, response, next) => {
    const token = request.get("authorization")?.replace(/^Bearer /, "") ?? "";
    if (isValid(token)) return next();
    response.status(401).json({ error: "invalid_token", error_description: "Access token expired" });
  };
