/** The nonce of this page's content security policy, required on every style element created by script. */
export const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";

declare global {
  /** Read by the scroll-lock library before it creates its style element. */
  var __webpack_nonce__: string;
}
globalThis.__webpack_nonce__ = nonce;
