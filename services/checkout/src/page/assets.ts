import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { type HttpApp, onlyMethods } from "@collect/http";
import { tokens } from "@collect/theme";
import type { RequestHandler } from "express";

type Asset = { path: string; type: string; version: string; bodies: Record<"br" | "gzip" | "identity", Buffer> };

const script = asset("page.js", "/assets/page.js", "text/javascript; charset=utf-8");
const acts = asset("acts.js", "/assets/acts.js", "text/javascript; charset=utf-8");
const clock = asset("clock.js", "/assets/clock.js", "text/javascript; charset=utf-8");
/** Loaded by the page, and by checkout.js on merchants' pages, only when a proof of work is required. */
const proof = asset("proof.js", "/assets/proof.js", "text/javascript; charset=utf-8");
const icon = asset("icon.svg", "/assets/icon.svg", "image/svg+xml");
/** The script that merchants embed. Its URL never changes, so browsers revalidate it each time. */
const embed = asset("checkout.js", "/checkout.js", "text/javascript; charset=utf-8");

const hrefOf = ({ path, version }: Asset) => `${path}?v=${version}`;
/**
 * The tokens of the whole product, and what the page makes of them. Inlined in every page: a separate request would cost a
 * payer on a slow network a second round trip before anything is visible.
 */
export const STYLE = withUsedTokens(`${tokens}${readFileSync(new URL("browser/page.css", import.meta.url), "utf8")}`)
  .replaceAll(/\/\*.*?\*\//gs, "")
  .replaceAll(/\s+/g, " ")
  .replaceAll(/ ?([{};,>]) ?|(?<=:) /g, "$1")
  .replaceAll(";}", "}");
/** In the order in which they run: the last one says when there is a card. */
export const SCRIPTS = [acts, clock, script].map(hrefOf);
export const ICON = hrefOf(icon);

export function assetRoutes(app: HttpApp): void {
  for (const own of [acts, clock, script, icon]) {
    app.get(own.path, cacheByVersion(own), send(own));
    app.all(own.path, onlyMethods("GET"));
  }
  for (const shared of [embed, proof]) {
    app.get(shared.path, forOtherOrigins(shared), send(shared));
    app.all(shared.path, onlyMethods("GET"));
  }
}

/** Without the tokens that only other pages use: what is inlined has to fit into the first round trip. */
function withUsedTokens(css: string): string {
  return css.replaceAll(/(--[\w-]+):[^;}]+;/g, (declaration, name) => (css.includes(`var(${name}`) ? declaration : ""));
}

/** Compressed once at start, with the highest quality, because it is sent many times. */
function asset(file: string, path: string, type: string): Asset {
  const body = readFileSync(new URL(`browser/${file}`, import.meta.url));
  const version = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const br = brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } });
  return { path, type, version, bodies: { br, gzip: gzipSync(body, { level: 9 }), identity: body } };
}

/**
 * Cached for a year under its own version. Under another version (a page of another release) the current content is
 * returned but must not be cached.
 */
function cacheByVersion({ version }: Asset): RequestHandler {
  return (request, response, next) => {
    const isCurrent = request.query.v === version;
    response.setHeader("Cache-Control", isCurrent ? "public, max-age=31536000, immutable" : "no-cache");
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
    // Browsers list gzip first, although they accept both equally.
    const encoding = (["br", "gzip"] as const).find((name) => request.acceptsEncodings(name)) ?? "identity";
    response.setHeader("Vary", "Accept-Encoding");
    response.setHeader("Content-Type", type);
    if (encoding !== "identity") response.setHeader("Content-Encoding", encoding);
    response.send(bodies[encoding]);
  };
}
