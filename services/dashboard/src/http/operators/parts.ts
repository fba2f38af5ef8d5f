import type { Bus } from "@collect/bus";
import { STATEMENT_PART_MAX } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods, readBody } from "@collect/http";
import type { RequestHandler } from "express";
import { OPERATOR_PARTS } from "../../calls/operators.ts";
import type { SignedIn } from "./sessions.ts";

/** The base64 of a part of a file, with its hash. */
const PART_BYTES_MAX = Math.ceil(STATEMENT_PART_MAX / 3) * 4 + 1024;

/** The parts of a file, ahead of the act that names it. */
export function partRoutes(app: HttpApp, { bus, signedIn }: { bus: Bus; signedIn: SignedIn }): void {
  // Before the body: a stranger has nothing large read.
  const needsSession: RequestHandler = (request, response, next) =>
    signedIn(request, response).then(({ name }) => {
      response.locals.uploader = name;
      next();
    }, next);
  for (const [path, contract] of Object.entries(OPERATOR_PARTS)) {
    app.post(`/api/${path}`, needsSession, ...readBody({ maxBytes: PART_BYTES_MAX }), async (request, response) => {
      const part = { ...request.body, uploader: response.locals.uploader };
      response.json(await bus.request(contract, part, { requestId: contextOf(response).requestId }));
    });
    app.all(`/api/${path}`, onlyMethods("POST"));
  }
}
