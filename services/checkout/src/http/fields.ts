import { parseFields } from "@collect/contracts";
import { addressOf, fromForm, withoutNulls } from "@collect/http";
import type { Request, Response } from "express";
import type { z } from "zod";
import type { Client } from "../use-cases/gate.ts";

export const BODY_BYTES_MAX = 32 * 1024;

/** Who calls, for the gate: the address, and a solved challenge from the body. */
export function clientOf(request: Request): Client {
  const { proof } = Object(request.body);
  return { address: addressOf(request), proof: typeof proof === "string" ? proof : undefined };
}

/** The parsed fields of a body; unknown fields are ignored. */
export function fieldsOf<Schema extends z.ZodObject>(
  schema: Schema,
  request: Request,
  response: Response,
): z.output<Schema> {
  return parseFields(schema, response.locals.form ? fromForm(schema, request.body) : withoutNulls(request.body));
}
