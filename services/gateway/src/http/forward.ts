import type { Bus } from "@collect/bus";
import { fieldErrors, invalidFields, Problem } from "@collect/contracts";
import { fromForm, requestIdOf } from "@collect/http";
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
    const reply = await bus.request(contract, input, requestIdOf(response)).catch(asOneNotFound);
    if (!created) return void response.json(reply);
    const { [created]: body, created: isNew } = Reply.parse(reply);
    response.status(isNew ? 201 : 200).json(body);
  };
}

const Reply = z.record(z.string(), z.unknown());

export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");

/**
 * The endpoint's fields, unparsed, from the query of a GET or the body of a POST; all others are ignored. The path parameters
 * and the caller come last, so that no field sent by the client can override them.
 */
function inputOf(endpoint: Endpoint, request: Request, response: Response): Fields {
  const schema = endpoint.request.input;
  const sent = pick(fieldsOf(endpoint), request.method === "POST" ? request.body : request.query);
  const fields = pick(schema, { ...sent, ...request.params, merchant: merchantOf(response) });
  const input = response.locals.form ? fromForm(schema, fields) : fields;

  const parsed = schema.safeParse(input);
  const errors = parsed.success ? [] : fieldErrors(parsed.error);
  const inFields = errors.filter(({ param }) => !Object.hasOwn(request.params, param));
  if (inFields.length > 0) throw invalidFields(inFields);
  // A malformed reference in a path is treated like one that does not exist.
  if (errors.length > 0 || !Object.values(request.params).every((value) => isAddressable(String(value))))
    throw notFound();
  return input;
}

/** The object's own properties that are fields of the schema. */
function pick({ shape }: z.ZodObject, given: Fields): Fields {
  const names = Object.keys(shape).filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** Missing, another merchant's, of the other mode, malformed: the same response, whatever the upstream service's text. */
function asOneNotFound(error: unknown): never {
  throw error instanceof Problem && error.code === "not_found" ? notFound() : error;
}
