import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { componentStyles } from "./component-styles.ts";

/**
 * The app is built once and served by the dashboard service, which puts a fresh nonce where the placeholder stands.
 * For work on the pages: `pnpm --filter @collect/dashboard-web dev` beside a running stack.
 */
export default defineConfig({
  plugins: [react(), componentStyles()],
  html: { cspNonce: "__CSP_NONCE__" },
  build: { outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1_000, target: "es2022" },
  server: {
    port: 4201,
    proxy: { "/api": { target: "http://localhost:4200", headers: { origin: "http://localhost:4200" } } },
  },
});
