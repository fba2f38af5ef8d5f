import { CheckoutSession, notFound } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods, readBody, refuseOtherOrigins } from "@collect/http";
import type { RequestHandler } from "express";
import { isReference } from "../domain/reference.ts";
import { checkoutView } from "../domain/view.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import type { Endpoint } from "./endpoint.ts";
import { BODY_BYTES_MAX, clientOf, fieldsOf } from "./fields.ts";
import type { Limits } from "./limits.ts";

type Deps = { endpoints: readonly Endpoint[]; sessions: Sessions; limits: Limits };

/** The endpoints as routes, each with a 405 for other methods. */
export function sessionRoutes({ endpoints, sessions, limits }: Deps) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  return (app: HttpApp): void => {
    for (const endpoint of endpoints) {
      const limit = limits[endpoint.limit];
      if (endpoint.method === "GET") app.get(endpoint.path, wellFormedReference, limit, respond(endpoint, sessions));
      else app.post(endpoint.path, wellFormedReference, refuseOtherOrigins, limit, body, respond(endpoint, sessions));
      app.all(endpoint.path, onlyMethods(endpoint.method));
    }
  };
}

/** A malformed reference is refused before anything is counted, read or looked up. */
export const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReference(String(request.params.reference))) throw notFound();
  next();
};

function respond(endpoint: Endpoint, sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    const fields = endpoint.method === "POST" ? fieldsOf(endpoint.fields, request, response) : {};
    const session = await endpoint.session(sessions, {
      ...{ reference, fields },
      ...{ context: contextOf(response), client: clientOf(request) },
    });
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    response.json(CheckoutSession.encode(checkoutView(session, new Date())));
  };
}
