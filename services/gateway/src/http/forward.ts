import type { Bus } from "@collect/bus";
import { invalidFields, type Mode, Problem, type RequestContract, toNotFound } from "@collect/contracts";
import { addressOf, assertFields, contextOf, fromForm, pickFields, withoutNulls } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { referenceMade } from "../domain/call-log.ts";
import { type Endpoint, fieldsOf, refusesUnknown } from "../domain/endpoint.ts";
import { isAddressable } from "../domain/reference.ts";
import type { Recorded } from "../use-cases/recorded.ts";
import { merchantOf } from "./authentication.ts";

type Fields = Record<string, unknown>;

/** Forwards a call as a request, and its reply as the response; both are JSON that the upstream service parses and encodes. */
export function forward(endpoint: Endpoint, { bus, recorded }: { bus: Bus; recorded: Recorded }): RequestHandler {
  const { request: contract, created, audit, names } = endpoint;
  return async (request, response) => {
    const input = inputOf(endpoint, request, response);
    const context = contextOf(response);
    const send: Send = (contract, fields) => bus.request(contract, fields, context);
    try {
      assertFields(contract.input, input, { inPath: request.params, isAddressable });
    } catch (invalid) {
      const repeated = await findRepeated(endpoint, input, send);
      if (!repeated) throw invalid;
      return answer(response, repeated);
    }
    const work = () => send(contract, input);
    const merchant = merchantOf(response);
    const isRecorded = audit && (await isAudited(endpoint, input, { mode: merchant.mode, send }));
    const act = isRecorded && { action: audit.action, detail: audit.detail(input), merchant };
    const reply = await (act ? recorded(act, context, work) : work()).catch((error) => toNotFound(error, names));
    if (!created) return answer(response, reply);
    const { [created]: body, created: isNew } = Reply.parse(reply);
    answer(response.status(isNew ? 201 : 200), body);
  };
}

/** The request log says what the response is about. */
function answer(response: Response, body: unknown): void {
  response.locals.made = referenceMade(body);
  response.json(body);
}

/** Who calls; a request without these fields is not given them. */
const callerOf = (request: Request, response: Response): Fields => ({
  merchant: merchantOf(response),
  client: addressOf(request),
});

const Reply = z.record(z.string(), z.unknown());

/**
 * The endpoint's fields, unparsed, from the query of a GET or the body of a POST; all others, and null, are ignored. The path parameters
 * and the caller come last, so that no field sent by the client can override them.
 */
function inputOf(endpoint: Endpoint, request: Request, response: Response): Fields {
  const schema = endpoint.request.input;
  if (refusesUnknown(endpoint)) assertKnown(fieldsOf(endpoint), request.query);
  const sent = withoutNulls(pickFields(fieldsOf(endpoint), request.method === "POST" ? request.body : request.query));
  const fields = pickFields(schema, { ...sent, ...request.params, ...callerOf(request, response) });
  return response.locals.form ? fromForm(schema, fields) : fields;
}

/** What an earlier call created under the reference of this one, whose other fields are invalid. */
async function findRepeated({ findRepeated: contract }: Endpoint, input: Fields, send: Send): Promise<unknown> {
  const asked = contract && askedOf(contract, input);
  return asked && send(contract, asked).catch(unlessNotFound);
}
type Send = (contract: RequestContract, input: Fields) => Promise<unknown>;

/** The fields by which a call can be looked up; undefined if it lacks them. */
function askedOf({ input: schema }: RequestContract, input: Fields): Fields | undefined {
  const asked = pickFields(schema, input);
  return schema.safeParse(asked).success ? asked : undefined;
}

/** Whether the audit log is to say something about the call. What cannot be looked up now is recorded: it may be new. */
async function isAudited(
  endpoint: Endpoint,
  input: Fields,
  { mode, send }: { mode: Mode; send: Send },
): Promise<boolean> {
  const { liveOnly, ifNew } = endpoint.audit ?? {};
  if (liveOnly && mode !== "live") return false;
  if (!ifNew) return true;
  const asked = askedOf(ifNew, input);
  if (!asked) return false;
  const find = async () => (await send(ifNew, asked).catch(unlessNotFound)) ?? findRepeated(endpoint, input, send);
  return (await find().catch(() => undefined)) === undefined;
}

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === "not_found")) throw error;
}

function assertKnown({ shape }: z.ZodObject, query: Fields): void {
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(shape, name));
  const names = Object.keys(shape);
  const message = `is unknown; ${names.length > 0 ? `the parameters of this list are ${names.join(", ")}` : "this list has no parameters"}`;
  if (unknown.length > 0) throw invalidFields(unknown.map((param) => ({ param, code: "unrecognized", message })));
}
