import type { Bus } from "@collect/bus";
import { fieldErrors, invalidFields, Problem, type RequestContract } from "@collect/contracts";
import { fromForm, requestIdOf } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { isAddressable } from "../domain/reference.ts";
import type { Endpoint } from "../endpoints.ts";
import { merchantOf } from "./authentication.ts";

type Fields = Record<string, unknown>;

/** Passes a call on as a request and its reply back; both are JSON that the service behind reads and writes. */
export function passOn({ request: contract, created }: Endpoint, bus: Bus): RequestHandler {
  return async (request, response) => {
    const input = inputOf(contract, request, response);
    const reply = await bus.request(contract, input, requestIdOf(response)).catch(asOneNotFound);
    if (!created) return void response.json(reply);
    const { [created]: made, created: isNew } = Reply.parse(reply);
    response.status(isNew ? 201 : 200).json(made);
  };
}

const Reply = z.record(z.string(), z.unknown());

export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");

/**
 * The contract's own fields, as they came, out of the query of a GET or the body of a POST; whatever else was sent is
 * ignored. What the path says and who calls comes last, so nothing that was sent can stand for it.
 */
function inputOf({ input: schema }: RequestContract, request: Request, response: Response): Fields {
  const sent = request.method === "POST" ? request.body : request.query;
  const given: Fields = { ...sent, ...request.params, merchant: merchantOf(response) };
  const known = Object.keys(schema.shape).filter((name) => Object.hasOwn(given, name));
  const fields = Object.fromEntries(known.map((name) => [name, given[name]]));
  const input = response.locals.form ? fromForm(schema, fields) : fields;

  const parsed = schema.safeParse(input);
  const errors = parsed.success ? [] : fieldErrors(parsed.error);
  const inFields = errors.filter(({ param }) => !Object.hasOwn(request.params, param));
  if (inFields.length > 0) throw invalidFields(inFields);
  // A malformed reference in a path is a reference that is not there.
  if (errors.length > 0 || !Object.values(request.params).every((value) => isAddressable(String(value))))
    throw notFound();
  return input;
}

/** Missing, foreign, of the other mode, malformed: one answer, whatever words the service behind has for it. */
function asOneNotFound(error: unknown): never {
  throw error instanceof Problem && error.code === "not_found" ? notFound() : error;
}
