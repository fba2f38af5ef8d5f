import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { componentStyles } from "./build/component-styles.ts";
import { precompress } from "./build/precompress.ts";

/** The operators' pages: an app of their own from the same components, so that neither address serves a file of the other. */
export default defineConfig({
  root: "operators",
  publicDir: "../public",
  plugins: [react(), componentStyles(), precompress()],
  html: { cspNonce: "__CSP_NONCE__" },
  build: { outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1_000, target: "es2022" },
});
