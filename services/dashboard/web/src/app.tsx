import { lazy, type ReactNode, Suspense } from "react";
import { Navigate, Route, Routes, useLocation } from "react-router";
import { useMe } from "./api/me.ts";
import { Failure } from "./components/failure.tsx";
import { Loading } from "./components/loading.tsx";

const loadShell = () => import("./shell/shell.tsx");
const loadHome = () => import("./pages/home/home-page.tsx");
const loadAccount = () => import("./pages/account-routes.tsx");

const Shell = lazy(loadShell);
const HomePage = lazy(loadHome);
const AccountPages = lazy(loadAccount);
const InboxPage = lazy(() => import("./pages/inbox/inbox-page.tsx"));
const GetStartedPage = lazy(() => import("./pages/get-started/get-started-page.tsx"));
const MoneyPages = lazy(() => import("./pages/money-routes.tsx"));
const DeveloperPages = lazy(() => import("./pages/developers-routes.tsx"));
const SettingsPages = lazy(() => import("./pages/settings-routes.tsx"));

/** Begins to load what a URL needs, which otherwise begins only after the first response of the server. */
export function loadAhead(pathname: string): void {
  const isMerchants = pathname === "/" || pathname.startsWith("/m/");
  const isHome = pathname === "/" || /^\/m\/[^/]+\/\w+\/?$/.test(pathname);
  const needed = [...(isMerchants ? [loadShell] : [loadAccount]), ...(isHome ? [loadHome] : [])];
  // A failure is reported when the page needs it.
  for (const load of needed) void load().catch(() => {});
}

/** The sign-in and sign-up pages, and the pages of one merchant in one mode. */
export function App() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route
          path="/m/:merchant/:mode"
          element={
            <SignedIn>
              <Shell />
            </SignedIn>
          }
        >
          <Route index element={<HomePage />} />
          <Route path="inbox" element={<InboxPage />} />
          <Route path="get-started" element={<GetStartedPage />} />
          <Route path="developers/*" element={<DeveloperPages />} />
          <Route path="settings/*" element={<SettingsPages />} />
          <Route path="*" element={<MoneyPages />} />
        </Route>
        <Route
          path="/"
          element={
            <SignedIn>
              <FirstMerchant />
            </SignedIn>
          }
        />
        <Route path="*" element={<AccountPages />} />
      </Routes>
    </Suspense>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const { data: me, error, refetch } = useMe();
  const { pathname, search } = useLocation();
  // Only before the first response: a later failed read must not unmount a form that the user is filling in.
  if (me === undefined) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (!me) return <Navigate to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />;
  return children;
}

/** The first page after signing in. */
function FirstMerchant() {
  const { data: me } = useMe();
  const first = me?.merchants[0];
  if (!first) return <Navigate to="/new-business" replace />;
  return <Navigate to={`/m/${first.merchant_id}/test`} replace />;
}
