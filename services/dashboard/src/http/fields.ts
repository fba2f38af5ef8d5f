import { fieldErrors, invalidFields } from "@collect/contracts";
import type { RequestHandler } from "express";
import type { z } from "zod";

/** Validates the body and stores the parsed fields in `response.locals.fields`. */
export function readFields(schema: z.ZodObject): RequestHandler {
  return (request, response, next) => {
    const fields = schema.safeParse(request.body);
    if (!fields.success) throw invalidFields(fieldErrors(fields.error));
    response.locals.fields = fields.data;
    next();
  };
}
