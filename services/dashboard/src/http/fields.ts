import { fieldErrors, invalidFields } from "@collect/contracts";
import type { RequestHandler } from "express";
import type { z } from "zod";

/** Checks the fields of a body and leaves them, as they are read, in `response.locals.fields`. */
export function readFields(schema: z.ZodObject): RequestHandler {
  return (request, response, next) => {
    const fields = schema.safeParse(request.body);
    if (!fields.success) throw invalidFields(fieldErrors(fields.error));
    response.locals.fields = fields.data;
    next();
  };
}
