import { PROBLEMS } from "@collect/contracts";
import { type HttpApp, onlyMethods, type ProblemType } from "@collect/http";
import type { Response } from "express";
import { CAUSES } from "../openapi/causes.ts";
import { isMerchantCode, MERCHANT_CODES, type MerchantCode, pageOf } from "../openapi/problems.ts";

/** No scripts, and nothing from other hosts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The `type` of a problem: the page about its code, in the public documentation or else on this host. */
export function problemType(docs: string | null): ProblemType {
  return (code) => (isMerchantCode(code) ? pageOf(code, docs) : "about:blank");
}

/** `/docs/errors`, and a page for each code: without a key and uncounted. */
export function errorPages(prefix: string): (app: HttpApp) => void {
  const home = `${prefix}/docs/errors`;
  return (app) => {
    app.get(home, (_request, response) => send(response, page(prefix, "Errors", list(home))));
    app.get(`${prefix}/docs/errors.css`, (_request, response) => void response.type("css").send(STYLE));
    app.get(`${home}/:code`, ({ params: { code } }, response, next) => {
      if (!isMerchantCode(code)) return next();
      send(response, page(prefix, code, about(code)));
    });
    for (const path of [home, `${prefix}/docs/errors.css`]) app.all(path, onlyMethods("GET"));
  };
}

function send(response: Response, html: string): void {
  response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  response.type("html").send(html);
}

function list(home: string): string {
  const rows = MERCHANT_CODES.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `<tr><td>${status}</td><td><a href="${home}/${code}"><code>${code}</code></a></td><td>${text(title)}</td></tr>`;
  });
  return `<h1>Errors</h1>
<p>Rely on the status and <code>code</code>; texts may change. Quote the <code>request_id</code> when you contact support.</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

function about(code: MerchantCode): string {
  const { status, title } = PROBLEMS[code];
  const { cause, cure } = CAUSES[code];
  return `<h1><code>${code}</code></h1>
<p>${status}: ${text(title)}.</p>
<h2>Cause</h2>
<p>${text(cause)}</p>
<h2>What to do</h2>
<p>${text(cure)}</p>`;
}

function page(prefix: string, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Merchant Collection API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/docs/errors.css">
</head>
<body>
<nav><a href="${prefix}/docs">Reference</a> <a href="${prefix}/docs/errors">Errors</a></nav>
<main>
${content}
</main>
</body>
</html>
`;
}

/** Escaped, with `code` in backticks. */
function text(words: string): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped.replace(/`([^`]+)`/g, "<code>$1</code>");
}

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
nav a { margin-right: 1rem; }
h2 { font-size: 1.1rem; margin-bottom: 0; }
p { margin-top: 0.25rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: left; vertical-align: top; }
`;
