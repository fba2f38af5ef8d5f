import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";
import "@mantine/charts/styles.css";
import "@mantine/notifications/styles.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { watchInput } from "./api/attended.ts";
import { queryClient } from "./api/query-client.ts";
import { ReauthenticationProvider } from "./api/reauthentication.tsx";
import { App } from "./app.tsx";
import { ErrorBoundary, reloadAfterRelease } from "./components/error-boundary.tsx";
import { nonce } from "./nonce.ts";
import { cssVariables, theme } from "./theme.ts";

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
        <Notifications position="bottom-right" />
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
