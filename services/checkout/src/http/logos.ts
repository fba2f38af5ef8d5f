import { notFound } from "@collect/contracts";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { RequestHandler } from "express";
import type { Logos } from "../use-cases/logos.ts";
import type { Limits } from "./limits.ts";

/**
 * Merchants' logos, for the pages of this origin: `branding.logo` is such a path. What is at one never changes. The type is one of
 * three images', whatever the bytes say, and never guessed (`nosniff`, as everywhere); opened as a page it could do nothing.
 */
export function logoRoutes({ logos, limits }: { logos: Logos; limits: Limits }) {
  return (app: HttpApp): void => {
    app.get("/logos/:sha256", wellFormedHash, limits.logo_reads, async (request, response) => {
      const { type, bytes } = await logos.find(String(request.params.sha256));
      response.setHeader("Content-Type", type);
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      response.send(bytes);
    });
    app.all("/logos/:sha256", onlyMethods("GET"));
  };
}

/** Anything else is refused before it is counted or requested. */
const wellFormedHash: RequestHandler = (request, _response, next) => {
  if (!/^[0-9a-f]{64}$/.test(String(request.params.sha256))) throw notFound();
  next();
};
