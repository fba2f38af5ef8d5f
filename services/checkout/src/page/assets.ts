import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { RequestHandler } from "express";

type Asset = { path: string; type: string; version: string; bodies: Record<"br" | "gzip" | "identity", Buffer> };

const script = asset("page.js", "/assets/page.js", "text/javascript; charset=utf-8");
const copying = asset("copy.js", "/assets/copy.js", "text/javascript; charset=utf-8");
const icon = asset("icon.svg", "/assets/icon.svg", "image/svg+xml");
/** What merchants put into their own pages. Its address never changes, so its age is asked for each time. */
const embed = asset("checkout.js", "/checkout.js", "text/javascript; charset=utf-8");

const hrefOf = ({ path, version }: Asset) => `${path}?v=${version}`;
/** Stands in every page: asking for it apart would cost a payer on a slow network a second round trip before anything is seen. */
export const STYLE = readFileSync(new URL("browser/page.css", import.meta.url), "utf8")
  .replaceAll(/\/\*.*?\*\//gs, "")
  .replaceAll(/\s+/g, " ");
export const SCRIPTS = [script, copying].map(hrefOf);
export const ICON = hrefOf(icon);

export function assetRoutes(app: HttpApp): void {
  for (const own of [script, copying, icon]) {
    app.get(own.path, keepByVersion(own), send(own));
    app.all(own.path, onlyMethods("GET"));
  }
  app.get(embed.path, forOtherOrigins(embed), send(embed));
  app.all(embed.path, onlyMethods("GET"));
}

/** Compressed once, at start, as well as it goes: it is sent many times. */
function asset(file: string, path: string, type: string): Asset {
  const body = readFileSync(new URL(`browser/${file}`, import.meta.url));
  const version = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const br = brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } });
  return { path, type, version, bodies: { br, gzip: gzipSync(body, { level: 9 }), identity: body } };
}

/** Kept for a year under its own version. Under another (a replica of another release was asked) it is right today and must not be kept. */
function keepByVersion({ version }: Asset): RequestHandler {
  return (request, response, next) => {
    const isThis = request.query.v === version;
    response.setHeader("Cache-Control", isThis ? "public, max-age=31536000, immutable" : "no-cache");
    next();
  };
}

function forOtherOrigins({ version }: Asset): RequestHandler {
  return (_request, response, next) => {
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cache-Control", "public, no-cache");
    response.setHeader("ETag", `W/"${version}"`);
    next();
  };
}

function send({ type, bodies }: Asset): RequestHandler {
  return (request, response) => {
    // Browsers name gzip first, though they like both as much.
    const encoding = (["br", "gzip"] as const).find((one) => request.acceptsEncodings(one)) ?? "identity";
    response.setHeader("Vary", "Accept-Encoding");
    response.setHeader("Content-Type", type);
    if (encoding !== "identity") response.setHeader("Content-Encoding", encoding);
    response.send(bodies[encoding]);
  };
}
