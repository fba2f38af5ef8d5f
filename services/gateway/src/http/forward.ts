import type { Bus } from "@collect/bus";
import { toNotFound } from "@collect/contracts";
import { assertFields, fromForm, pickFields, requestIdOf } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { type Endpoint, fieldsOf } from "../domain/endpoint.ts";
import { isAddressable } from "../domain/reference.ts";
import { merchantOf } from "./authentication.ts";

type Fields = Record<string, unknown>;

/** Forwards a call as a request, and its reply as the response; both are JSON that the upstream service parses and encodes. */
export function forward(endpoint: Endpoint, bus: Bus): RequestHandler {
  const { request: contract, created } = endpoint;
  return async (request, response) => {
    const input = inputOf(endpoint, request, response);
    const reply = await bus.request(contract, input, requestIdOf(response)).catch(toNotFound);
    if (!created) return void response.json(reply);
    const { [created]: body, created: isNew } = Reply.parse(reply);
    response.status(isNew ? 201 : 200).json(body);
  };
}

const Reply = z.record(z.string(), z.unknown());

/**
 * The endpoint's fields, unparsed, from the query of a GET or the body of a POST; all others are ignored. The path parameters
 * and the caller come last, so that no field sent by the client can override them.
 */
function inputOf(endpoint: Endpoint, request: Request, response: Response): Fields {
  const schema = endpoint.request.input;
  const sent = pickFields(fieldsOf(endpoint), request.method === "POST" ? request.body : request.query);
  const fields = pickFields(schema, { ...sent, ...request.params, merchant: merchantOf(response) });
  const input = response.locals.form ? fromForm(schema, fields) : fields;

  assertFields(schema, input, { inPath: request.params, isAddressable });
  return input;
}
