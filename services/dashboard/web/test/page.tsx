import type { MemberRole } from "@collect/contracts";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { permissionsOf } from "../../src/domain/role.ts";
import type { Me } from "../src/api/me.ts";
import { queryClient } from "../src/api/query-client.ts";
import { ReauthenticationProvider } from "../src/api/reauthentication.tsx";
import { type Scope, ScopeContext } from "../src/api/scope.ts";
import { theme } from "../src/theme.ts";
import { MERCHANT } from "./server.ts";

export const ME: Me = {
  user: {
    id: "usr_1",
    name: "Ada Obi",
    email: "ada@example.com",
    two_factor_enabled: false,
    has_password: true,
    has_passkey: false,
    is_confirmed: true,
  },
  session: { id: "ses_1", recently_authenticated_until: null, second_factor: false },
  rules: { sends_mail: false, live_second_factor: false, test_receiver: true },
  merchants: [
    {
      merchant_id: MERCHANT,
      name: "Ada Stores",
      role: "owner",
      permissions: permissionsOf("owner"),
      verified_at: null,
    },
  ],
  urls: { api: "http://localhost:4000/v1", checkout: "http://localhost:4100" },
};

type Options = {
  at?: string;
  path?: string;
  scope?: Partial<Pick<Scope, "mode">> & { role?: MemberRole };
  user?: Partial<Me["user"]>;
  rules?: Me["rules"];
};
type Shown = RenderResult & { user: ReturnType<typeof userEvent.setup>; address: () => string };

/** A page of Ada Stores as a member sees it: `at` is its URL below the merchant and mode, `path` its route. */
export function showPage(page: ReactNode, { at = "", path = "*", scope, user, rules = ME.rules }: Options = {}): Shown {
  const mode = scope?.mode ?? "test";
  const me = { ...ME, rules, user: { ...ME.user, ...user } };
  const home = `/m/${MERCHANT}/${mode}`;
  const value: Scope = {
    me,
    merchantId: MERCHANT,
    merchantName: "Ada Stores",
    mode,
    permissions: permissionsOf(scope?.role ?? "owner"),
    home,
    api: `/api${home}`,
  };
  queryClient.setQueryData(["me"], me);
  return showAt(
    `${home}/${at}`.replace(/\/$/, ""),
    <ScopeContext value={value}>
      <Routes>
        <Route path={`${home}/${path}`} element={page} />
        <Route path="*" element={null} />
      </Routes>
    </ScopeContext>,
  );
}

/** Renders any part of the app at a URL. */
export function showAt(address: string, app: ReactNode): Shown {
  // Retries have no delay, so that no test waits.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
  let current = "";
  const show = (changed: string) => {
    current = changed;
  };
  const shown = render(
    <MantineProvider env="test" theme={theme}>
      <Notifications />
      <QueryClientProvider client={queryClient}>
        <ReauthenticationProvider>
          <MemoryRouter initialEntries={[address]}>
            {app}
            <Address onChange={show} />
          </MemoryRouter>
        </ReauthenticationProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...shown, user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }), address: () => current };
}

/** The current URL. */
function Address({ onChange }: { onChange: (address: string) => void }) {
  const { pathname, search } = useLocation();
  onChange(pathname + search);
  return null;
}
