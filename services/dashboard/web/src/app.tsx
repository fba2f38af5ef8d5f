import { lazy, type ReactNode, Suspense } from "react";
import { Navigate, Route, Routes, useLocation } from "react-router";
import { useMe } from "./api/me.ts";
import { Failure } from "./components/failure.tsx";
import { Loading } from "./components/loading.tsx";
import { Shell } from "./shell/shell.tsx";

const AccountPages = lazy(() => import("./pages/account-routes.tsx"));
const HomePage = lazy(() => import("./pages/home/home-page.tsx"));
const InboxPage = lazy(() => import("./pages/inbox/inbox-page.tsx"));
const GetStartedPage = lazy(() => import("./pages/get-started/get-started-page.tsx"));
const MoneyPages = lazy(() => import("./pages/money-routes.tsx"));
const DeveloperPages = lazy(() => import("./pages/developers-routes.tsx"));
const SettingsPages = lazy(() => import("./pages/settings-routes.tsx"));

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
