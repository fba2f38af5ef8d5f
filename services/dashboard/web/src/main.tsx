import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { watchInput } from "./api/attended.ts";
import { queryClient } from "./api/query-client.ts";
import { ReauthenticationProvider } from "./api/reauthentication.tsx";
import { App, loadAhead } from "./app.tsx";
import { ErrorBoundary, reloadAfterRelease } from "./components/error-boundary.tsx";
import { Toasts } from "./components/toasts.tsx";
import { nonce } from "./nonce.ts";
import { cssVariables, theme } from "./theme.ts";

reloadAfterRelease();
watchInput();
loadAhead(location.pathname);

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
        <Toasts />
        <QueryClientProvider client={queryClient}>
          <ReauthenticationProvider>
            <BrowserRouter>
              <ErrorBoundary location="">
                <App />
              </ErrorBoundary>
            </BrowserRouter>
          </ReauthenticationProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
