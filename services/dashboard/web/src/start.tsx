import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { watchInput } from "./api/attended.ts";
import { queryClient } from "./api/query-client.ts";
import { ErrorBoundary, reloadAfterRelease } from "./components/error-boundary.tsx";
import { nonce } from "./nonce.ts";
import { cssVariables, theme } from "./theme.ts";

/** Shows an app in the page: the merchants' dashboard or the operators' pages. */
export function start(app: ReactNode): void {
  reloadAfterRelease();
  watchInput();
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <QueryClientProvider client={queryClient}>
            <BrowserRouter>
              <ErrorBoundary location="">{app}</ErrorBoundary>
            </BrowserRouter>
          </QueryClientProvider>
        </MantineProvider>
      </StrictMode>,
    );
}
