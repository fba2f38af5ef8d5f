import type { IncomingMessage } from "node:http";
import { Problem } from "@collect/contracts";
import express, { type RequestHandler } from "express";

export type BodyLimits = { maxBytes: number };
/** More fields than any form of the API has, so that unknown ones can be ignored. */
const FORM_FIELDS_MAX = 100;

/**
 * Reads a body as JSON or as a form. Both give an object of fields, `{}` without a body. `response.locals.form` is true
 * for a form, whose values are all strings; `metadata[order]=17` is the key `order` of the field `metadata`.
 */
export function readBody({ maxBytes }: BodyLimits): RequestHandler[] {
  return [
    (request, _response, next) => {
      const hasBody =
        request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
      if (hasBody && !request.is(["application/json", "application/x-www-form-urlencoded"])) {
        throw new Problem("unsupported_media_type", "Send application/json or application/x-www-form-urlencoded.");
      }
      next();
    },
    express.json({ limit: maxBytes, strict: false, inflate: false, verify: keepRaw }),
    express.urlencoded({
      limit: maxBytes,
      extended: false,
      parameterLimit: FORM_FIELDS_MAX,
      inflate: false,
      verify: keepRaw,
    }),
    (request, response, next) => {
      if (request.body === undefined) request.body = {};
      if (typeof request.body !== "object" || Array.isArray(request.body) || request.body === null) {
        throw new Problem("malformed_body", "The body must be an object of fields.");
      }
      response.locals.form = Boolean(request.is("application/x-www-form-urlencoded"));
      if (response.locals.form) request.body = nested(request.body);
      next();
    },
  ];
}

const raw = new WeakMap<IncomingMessage, Buffer>();

/** The bytes of a body that `readBody` has read, even if they could not be parsed; undefined without one. */
export const rawBodyOf = (request: IncomingMessage): Buffer | undefined => raw.get(request);

function keepRaw(request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  raw.set(request, bytes);
}

const NESTED = /^([^[\]]+)\[(.*)\]$/s;

/** Collects `name[key]` into objects. A field that is also given without a key keeps that value, which no such field takes. */
function nested(form: Record<string, unknown>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  const objects = new Map<string, [key: string, value: unknown][]>();
  for (const [field, value] of Object.entries(form)) {
    const [, name, key = ""] = NESTED.exec(field) ?? [];
    if (name === undefined) fields.set(field, value);
    else objects.set(name, [...(objects.get(name) ?? []), [key, value]]);
  }
  for (const [name, entries] of objects) if (!fields.has(name)) fields.set(name, Object.fromEntries(entries));
  return Object.fromEntries(fields);
}
