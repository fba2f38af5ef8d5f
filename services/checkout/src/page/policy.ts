import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import type { Rendering } from "./document.ts";

/** The policy of responses that are not pages: opened as a page, such a response could do nothing. */
export const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/**
 * A page runs only the scripts and styles it was rendered with, by the nonce of its response, not everything that this
 * origin serves. It loads nothing from other origins, and cannot be framed. Markup is inserted into a page only
 * through the script's Trusted Types policy "card", which receives only markup rendered by this server.
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

/**
 * Every response under /pay and /l, errors included, has the policy with a new nonce. No other origin learns its address, but browsers
 * that send no `Sec-Fetch-Site` name the origin of its forms: with `no-referrer` they name none.
 */
export const forPages: RequestHandler = (_request, response, next) => {
  const nonce = randomBytes(16).toString("base64url");
  response.locals.nonce = nonce;
  response.setHeader("Content-Security-Policy", policyOf(nonce));
  response.setHeader("Referrer-Policy", "same-origin");
  next();
};

/** The rendering parameters of this response. */
export const pageOf = (response: Response): Rendering => ({ nonce: String(response.locals.nonce) });
