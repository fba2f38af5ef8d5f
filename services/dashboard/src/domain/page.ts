/** The build's placeholder for the nonce of each response. */
const PLACEHOLDER = "__CSP_NONCE__";

/** Allows scripts and styles from the app itself or with this page's nonce, nothing from other hosts, and no framing. */
export function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "report-uri /api/csp-report",
  ].join("; ");
}

export function withNonce(page: string, nonce: string): string {
  return page.replaceAll(PLACEHOLDER, nonce);
}

/** Served if the app was not built. */
export const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Collect</title></head>
  <body><p>The dashboard's pages are not built. Its API is there: build the app and start the service again.</p></body>
</html>
`;

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

export const typeOf = (path: string): string => TYPES[path.split(".").pop() ?? ""] ?? "application/octet-stream";
