import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { componentStyles } from "./build/component-styles.ts";
import { precompress } from "./build/precompress.ts";

/** Parts of the libraries that only some pages need: what opens above a page, and fields that are more than a line of text. */
const SPECIAL =
  /@floating-ui|react-remove-scroll|react-style-singleton|use-(callback-ref|sidecar)|ModalBase|Modal|Drawer|Overlay|Popover|Menu|Combobox|Select|FocusTrap|focus-trap|ScrollArea|NumberInput|number-format|PasswordInput|Checkbox|Radio|Accordion|Table|Progress|SimpleGrid|@mantine\/(form|dates)|klona|dayjs|src\/components\/(filter|list-|latest|facts|ledger-|naira-input|new-password)/;

/**
 * The app is built once and served by the dashboard service, which puts a fresh nonce where the placeholder stands.
 * For work on the pages: `pnpm --filter @collect/dashboard-web dev` beside a running stack.
 */
export default defineConfig({
  plugins: [react(), componentStyles(), precompress()],
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    target: "es2022",
    rolldownOptions: {
      // What several pages share is one file: on a slow network forty small ones cost more in round trips and headers.
      output: {
        codeSplitting: { groups: [{ name: "common", minShareCount: 4, test: (id: string) => !SPECIAL.test(id) }] },
      },
    },
  },
  server: {
    port: 4201,
    proxy: { "/api": { target: "http://localhost:4200", headers: { origin: "http://localhost:4200" } } },
  },
});
