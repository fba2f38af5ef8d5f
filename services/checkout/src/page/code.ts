import type { RequestHandler } from "express";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import QRCode from "qrcode";

/** The light frame that readers need, in modules. */
const QUIET = 4;

/**
 * `GET /pay/{reference}/code.svg`: the page's own address as a QR code, by which it goes on another device. Only the
 * address: it is the same for a reference that does not exist.
 */
export const sendCode: RequestHandler = (request, response) => {
  const address = `${request.protocol}://${request.host}/pay/${request.params.reference}`;
  response.setHeader("Cache-Control", "private, max-age=3600");
  response.type("svg").send(svgOf(address));
};

/** Black on white in both themes, as readers expect it. */
function svgOf(text: string): string {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET;
  const dark = Array.from(modules.data, (isDark, index) => {
    const [x, y] = [index % modules.size, Math.floor(index / modules.size)];
    return isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "";
  }).join("");
  return renderToString(html`
    <svg xmlns="http://www.w3.org/2000/svg" viewBox=${`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <rect width=${side} height=${side} fill="#fff" /><path d=${dark} />
    </svg>
  `);
}
