import { parseFields } from "@collect/contracts";
import type { RequestHandler } from "express";
import type { z } from "zod";

/** Validates the body and stores the parsed fields in `response.locals.fields`. */
export function readFields(schema: z.ZodObject): RequestHandler {
  return (request, response, next) => {
    response.locals.fields = parseFields(schema, request.body);
    next();
  };
}
