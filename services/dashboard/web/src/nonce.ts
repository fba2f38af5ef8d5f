/** The nonce of this page's policy, which every style element made by script must carry. */
export const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

declare global {
  /** Read by the library that locks scrolling under a panel, before it makes its style element. */
  var __webpack_nonce__: string;
}
globalThis.__webpack_nonce__ = nonce;
