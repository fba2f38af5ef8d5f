import { createRequire } from "node:module";
import { type HttpApp, onlyMethods } from "@collect/http";
import type { RequestHandler } from "express";
import { ENDPOINTS } from "../endpoints.ts";
import { openApiDocument } from "../openapi/document.ts";

/** The page runs only scripts from this host, and makes no requests to other hosts. */
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

const LIBRARY = ["swagger-ui.css", "swagger-ui-bundle.js"];

/**
 * `/openapi.json` and the page that renders it at `/docs`: without a key, uncounted, and not listed by the index. The document
 * names the URL in the settings, never the `Host` of a request: a cache would pass on to others what one caller put there.
 */
export function documentation(prefix: string, apiUrl: string): (app: HttpApp) => void {
  const routes: [path: string, handler: RequestHandler][] = [
    ["/openapi.json", document(apiUrl)],
    ["/docs", page(prefix)],
    // The page calls the host that it was loaded from, by whatever name: its policy allows no other.
    ["/docs/openapi.json", document("/v1")],
    ["/docs/start.js", (_request, response) => void response.type("js").send(start(prefix))],
    ...LIBRARY.map((file): [string, RequestHandler] => [`/docs/${file}`, asset(file)]),
  ];
  return (app) => {
    for (const [path, handler] of routes) {
      app.get(`${prefix}${path}`, handler);
      app.all(`${prefix}${path}`, onlyMethods("GET"));
    }
  };
}

function document(apiUrl: string): RequestHandler {
  const json = JSON.stringify(openApiDocument(ENDPOINTS, apiUrl));
  return (_request, response) => void response.type("json").send(json);
}

function page(prefix: string): RequestHandler {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Merchant Collection API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; the same reference is in <a href="${prefix}/openapi.json">openapi.json</a>.</noscript>
<script src="${prefix}/docs/swagger-ui-bundle.js"></script>
<script src="${prefix}/docs/start.js"></script>
</body>
</html>
`;
  return (_request, response) => {
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    response.type("html").send(html);
  };
}

/** A separate script, because the policy forbids inline ones. */
function start(prefix: string): string {
  const options = {
    url: `${prefix}/docs/openapi.json`,
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  };
  return `SwaggerUIBundle(${JSON.stringify(options)});\n`;
}

/** A file from the library's package; the package manager's folders begin with a dot. */
function asset(file: string): RequestHandler {
  const path = createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
  return (_request, response) => response.sendFile(path, { dotfiles: "allow", maxAge: "1h" });
}
