import type { Bus } from "@collect/bus";
import { checkPublicKey, type Merchant, OpenCheckout, OpenedCheckout, Problem } from "@collect/contracts";
import { contextOf, type HttpApp, limitConcurrency, onlyMethods, readBody } from "@collect/http";
import type { RequestHandler, Response } from "express";
import { publicKeyOf } from "../domain/public-key.ts";
import { createdView } from "../domain/view.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import { BODY_BYTES_MAX, clientOf, fieldsOf } from "./fields.ts";
import type { Limits } from "./limits.ts";

/**
 * `POST /checkout`: a merchant's web page creates a session with its public key. The only endpoint that allows other
 * origins.
 */
export function createSessionRoutes({ sessions, bus, limits }: { sessions: Sessions; bus: Bus; limits: Limits }) {
  const limited = limitConcurrency((_request, { locals: { mode, merchantId } }) => ({ mode, merchantId }));
  return (app: HttpApp): void => {
    app.all("/checkout", allowAllOrigins);
    app.options("/checkout", preflight);
    app.post(
      "/checkout",
      authenticate(bus),
      limits.openings,
      readBody({ maxBytes: BODY_BYTES_MAX }),
      limited(create(sessions)),
    );
    app.all("/checkout", onlyMethods("POST", "OPTIONS"));
  };
}

/** Any web page may call it and read the response; cookies are never used. */
const allowAllOrigins: RequestHandler = (_request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "retry-after, x-request-id");
  next();
};

const preflight: RequestHandler = (_request, response) => {
  response.setHeader("Access-Control-Allow-Methods", "POST");
  response.setHeader("Access-Control-Allow-Headers", "authorization, content-type");
  response.setHeader("Access-Control-Max-Age", "600");
  response.status(204).end();
};

/** Keys belong to the gateway: one request per call, so that a rolled key is refused at once. */
function authenticate(bus: Bus): RequestHandler {
  return async (request, response, next) => {
    const key = publicKeyOf(request.get("authorization"));
    if (!key) throw new Problem("invalid_api_key", "Send a valid public key as Authorization: Bearer pk_….");
    const { merchant } = await bus.request(checkPublicKey, { key }, contextOf(response));
    response.locals.merchant = merchant;
    response.locals.merchantId = merchant.id;
    response.locals.mode = merchant.mode;
    next();
  };
}

function create(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const fields = fieldsOf(OpenCheckout, request, response);
    const created = await sessions.create(merchantOf(response), fields, {
      context: contextOf(response),
      client: clientOf(request),
    });
    response.status(created.created ? 201 : 200).json(OpenedCheckout.encode(createdView(created, new Date())));
  };
}

function merchantOf(response: Response): Merchant {
  return response.locals.merchant;
}
