import { fieldErrors, invalidFields } from "@collect/contracts";
import { fromForm } from "@collect/http";
import type { Request, Response } from "express";
import type { z } from "zod";

export const BODY_BYTES_MAX = 32 * 1024;

/** The parsed fields of a body; unknown fields are ignored. */
export function fieldsOf<Schema extends z.ZodObject>(
  schema: Schema,
  request: Request,
  response: Response,
): z.output<Schema> {
  const parsed = schema.safeParse(response.locals.form ? fromForm(schema, request.body) : request.body);
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrors(parsed.error));
}
