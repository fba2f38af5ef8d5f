import { type HttpApp, onlyMethods } from "@collect/http";
import type { Logos } from "../use-cases/logos.ts";

/**
 * Merchants' logos, for the pages of this origin: `branding.logo` is such a path. What is at one never changes. The type is one of
 * three images', whatever the bytes say, and never guessed (`nosniff`, as everywhere); opened as a page it could do nothing.
 */
export function logoRoutes(logos: Logos) {
  return (app: HttpApp): void => {
    app.get("/logos/:sha256", async (request, response) => {
      const { type, bytes } = await logos.find(String(request.params.sha256));
      response.setHeader("Content-Type", type);
      response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
      response.send(bytes);
    });
    app.all("/logos/:sha256", onlyMethods("GET"));
  };
}
