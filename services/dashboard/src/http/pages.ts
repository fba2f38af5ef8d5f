import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "@collect/contracts";
import { type HttpApp, requestIdOf } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import express, { type Request, type RequestHandler, type Response } from "express";
import { z } from "zod";
import { NOT_BUILT, policyOf, typeOf, withNonce } from "../domain/page.ts";

const DIST = fileURLToPath(new URL("../../web/dist", import.meta.url));
const REPORTS_PER_MINUTE = 60;

/** A file of the build with the copies that the build compressed. */
type File = { type: string; body: Buffer; br: Buffer | undefined; gzip: Buffer | undefined };

/** Serves the built app, which is read once at startup. */
export function openPages({ log, directory = DIST }: { log: Logger; directory?: string }) {
  let files = new Map<string, File>();
  let index: string | undefined;
  return {
    component: {
      name: "pages",
      start: async () => {
        files = await readFiles(directory);
        index = files.get("/index.html")?.body.toString();
        files.delete("/index.html");
        if (!index) log.warn({}, "the pages are not built");
      },
      stop: async () => {},
    } satisfies Component,

    /** After all other routes: a file of the build, or else the app, which routes the URL itself. */
    routes(app: HttpApp): void {
      app.get("/{*path}", (request, response) => {
        const { path } = request;
        if (path === "/api" || path.startsWith("/api/"))
          throw new Problem("not_found", "There is nothing at this URL.");
        const file = files.get(path);
        if (file) return send(request, response, path, file);
        if (path.startsWith("/assets/")) throw new Problem("not_found", "There is nothing at this URL.");
        const nonce = randomBytes(16).toString("base64");
        response.setHeader("Content-Security-Policy", policyOf(nonce));
        response.setHeader("Cache-Control", "no-store");
        response.type("html").send(withNonce(index ?? NOT_BUILT, nonce));
      });
    },

    reportRoute: (app: HttpApp) => void app.post("/api/csp-report", ...logReports(log)),
  };
}

/** Files named by a hash of their contents are cached permanently; all others are revalidated. */
function send(request: Request, response: Response, path: string, file: File): void {
  const coding =
    file.br && request.acceptsEncodings("br") ? "br" : file.gzip && request.acceptsEncodings("gzip") ? "gzip" : null;
  response.setHeader("Content-Type", file.type);
  response.setHeader("Cache-Control", path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache");
  response.vary("Accept-Encoding");
  if (coding) response.setHeader("Content-Encoding", coding);
  response.send((coding && file[coding]) ?? file.body);
}

async function readFiles(directory: string): Promise<Map<string, File>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const bodies = new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => {
        return [`/${relative(directory, path).split(sep).join("/")}`, await readFile(path)];
      }),
    ),
  );
  const names = [...bodies].filter(([name]) => !/\.(br|gz)$/.test(name));
  return new Map(
    names.map(([name, body]) => [
      name,
      { type: typeOf(name), body, br: bodies.get(`${name}.br`), gzip: bodies.get(`${name}.gz`) },
    ]),
  );
}

const Violation = z.object({
  "csp-report": z.object({
    "effective-directive": z.string().optional(),
    "violated-directive": z.string().optional(),
    "blocked-uri": z.string().optional(),
    "document-uri": z.string().optional(),
  }),
});

/** Logs violations of the content security policy. Anyone can send a report, so they are limited and truncated. */
function logReports(log: Logger): RequestHandler[] {
  let [minute, logged] = [0, 0];
  return [
    express.json({ type: ["application/csp-report", "application/json"], limit: 8 * 1024, inflate: false }),
    (request, response) => {
      const report = Violation.safeParse(request.body);
      const now = Math.floor(Date.now() / 60_000);
      if (now !== minute) [minute, logged] = [now, 0];
      if (report.success && logged++ < REPORTS_PER_MINUTE) {
        const violation = report.data["csp-report"];
        const fields = {
          request_id: requestIdOf(response),
          directive: shortened(violation["effective-directive"] ?? violation["violated-directive"]),
          blocked: withoutQuery(violation["blocked-uri"]),
          page: withoutToken(withoutQuery(violation["document-uri"])),
        };
        log.warn(fields, "a page was about to do what its policy forbids");
      }
      response.status(204).end();
    },
  ];
}

const shortened = (text = "") => text.slice(0, 200);
const withoutQuery = (text = "") => shortened(text.replace(/[?#].*$/s, ""));
/** The URLs of sign-in links and invitations contain their tokens. */
const withoutToken = (text: string) => text.replace(/[A-Za-z0-9_-]{43,}/g, "…");
