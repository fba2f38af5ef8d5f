import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Rendering } from "./document.ts";

/** Of whatever is no page: were it opened as one, it could do nothing. */
export const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/**
 * A page runs the scripts and takes the style that it was rendered with, by a nonce of its own answer, not whatever else this origin
 * serves. It asks nobody else for anything, and cannot be framed. Markup becomes part of a page by one door, the script's policy
 * "card", which it gives nothing but what this server rendered.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types card",
  ].join(";");

/** Every answer below a page's address has the policy and a nonce that nobody had before: refusals are pages, too. */
export const forPages: RequestHandler = (_request, response, next) => {
  const nonce = randomBytes(16).toString("base64url");
  response.locals.nonce = nonce;
  response.setHeader("Content-Security-Policy", policyOf(nonce));
  next();
};

/** What the page of this answer is rendered with. */
export const pageOf = (response: Response): Rendering => ({ nonce: String(response.locals.nonce) });
