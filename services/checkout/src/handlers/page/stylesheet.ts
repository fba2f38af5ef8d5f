import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestHandler } from "express";

const css = readFileSync(new URL("checkout.css", import.meta.url));
const version = createHash("sha256").update(css).digest("hex").slice(0, 16);

export const STYLESHEET_PATH = "/assets/checkout.css";
export const STYLESHEET = `${STYLESHEET_PATH}?v=${version}`;

/** Kept for a year under its own version. Under another (a replica of another release was asked) it is right today and must not be kept. */
export const serveStylesheet: RequestHandler = (request, response) => {
  const isThis = request.query.v === version;
  response.setHeader("Cache-Control", isThis ? "public, max-age=31536000, immutable" : "no-cache");
  response.type("css").send(css);
};
