import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { RequestHandler } from "express";
import { ENDPOINTS } from "../endpoints.ts";
import { openApiDocument } from "../openapi/document.ts";

/** The pages run only scripts from this host, and make no requests to other hosts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What `site/build.ts` writes. */
const SITE = fileURLToPath(new URL("../generated/site/", import.meta.url));
const LIBRARY = ["swagger-ui.css", "swagger-ui-bundle.js"];

/**
 * `/openapi.json`, and at `/docs` the documentation site and the console: without a key, uncounted, and not listed by the index. The
 * document names the URL in the settings, never the `Host` of a request: a cache would pass on to others what one caller put there.
 */
export function documentation(apiUrl: string): (app: HttpApp) => void {
  const routes: [path: string, handler: RequestHandler][] = [
    ["/openapi.json", document(apiUrl)],
    ["/v1/openapi.json", document(apiUrl)],
    ...sitePages(),
    ["/docs/console", console],
    // The console calls the host that it was loaded from, by whatever name: its policy allows no other.
    ["/docs/openapi.json", document("/v1")],
    ["/docs/console.js", (_request, response) => void response.type("js").send(CONSOLE_SCRIPT)],
    ...LIBRARY.map((file): [string, RequestHandler] => [`/docs/${file}`, asset(file)]),
    ["/v1/docs{/*page}", (request, response) => response.redirect(308, request.originalUrl.slice("/v1".length))],
  ];
  return (app) => {
    for (const [path, handler] of routes) {
      app.get(path, handler);
      app.all(path, onlyMethods("GET"));
    }
  };
}

function document(apiUrl: string): RequestHandler {
  const json = JSON.stringify(openApiDocument(ENDPOINTS, apiUrl));
  return (_request, response) => void response.type("json").send(json);
}

/** `/docs/guides/checkout` is `guides/checkout.html`. Exactly the files that were built, from memory: no path is looked up on the disk. */
function sitePages(): [path: string, handler: RequestHandler][] {
  const files = readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter((file) => extname(file));
  return files.map((file) => [`/docs/${file}`.replace(/(\/index)?\.html$/, ""), page(file)]);
}

function page(file: string): RequestHandler {
  const body = readFileSync(join(SITE, file));
  const headers = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cache-Control": "no-cache",
    ETag: `"${createHash("sha256").update(body).digest("base64url")}"`,
  };
  return (_request, response) => void response.set(headers).type(extname(file)).send(body);
}

const console: RequestHandler = (_request, response) => {
  response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  response.type("html").send(CONSOLE);
};

const CONSOLE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console · Merchant Collection API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript; the <a href="/docs/reference">reference</a> does not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/console.js"></script>
</body>
</html>
`;

/** A separate script, because the policy forbids inline ones. */
const CONSOLE_SCRIPT = `SwaggerUIBundle(${JSON.stringify({
  url: "/docs/openapi.json",
  dom_id: "#console",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})});\n`;

/** A file from the library's package; the package manager's folders begin with a dot. */
function asset(file: string): RequestHandler {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
  return (_request, response) => response.sendFile(path, { dotfiles: "allow", maxAge: "1h" });
}
