import { lazy, Suspense } from "react";
import { Navigate, Route, Routes } from "react-router";
import { Failure } from "../components/failure.tsx";
import { Loading } from "../components/loading.tsx";
import { useMe } from "./api.ts";
import { Shell } from "./shell.tsx";
import { SignInPage } from "./sign-in-page.tsx";

const MerchantsPage = lazy(() => import("./pages/merchants-page.tsx"));
const MerchantPage = lazy(() => import("./pages/merchant-page.tsx"));
const VerificationsPage = lazy(() => import("./pages/verifications-page.tsx"));
const VerificationPage = lazy(() => import("./pages/verification-page.tsx"));
const TransfersPage = lazy(() => import("./pages/transfers-page.tsx"));
const PayoutsPage = lazy(() => import("./pages/payouts-page.tsx"));
const PayoutPage = lazy(() => import("./pages/payout-page.tsx"));
const PartnerPage = lazy(() => import("./pages/partner-page.tsx"));
const DaysPage = lazy(() => import("./pages/days-page.tsx"));
const DayPage = lazy(() => import("./pages/day-page.tsx"));
const LinePage = lazy(() => import("./pages/line-page.tsx"));
const StatementsPage = lazy(() => import("./pages/statements-page.tsx"));
const ProposalsPage = lazy(() => import("./pages/proposals-page.tsx"));
const DeadLettersPage = lazy(() => import("./pages/dead-letters-page.tsx"));
const SelfAuditPage = lazy(() => import("./pages/self-audit-page.tsx"));
const AuditPage = lazy(() => import("./pages/audit-page.tsx"));

/** Everything but the way in is behind it. */
export function App() {
  const { data: me, error, refetch } = useMe();
  if (me === undefined) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (!me) return <SignInPage />;
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route element={<Shell name={me.name} />}>
          <Route path="/merchants" element={<MerchantsPage />} />
          <Route path="/merchants/:id" element={<MerchantPage />} />
          <Route path="/verifications" element={<VerificationsPage />} />
          <Route path="/verifications/:id" element={<VerificationPage />} />
          <Route path="/transfers" element={<TransfersPage />} />
          <Route path="/payouts" element={<PayoutsPage />} />
          <Route path="/payouts/:reference" element={<PayoutPage />} />
          <Route path="/partner" element={<PartnerPage />} />
          <Route path="/days" element={<DaysPage />} />
          <Route path="/days/:day" element={<DayPage />} />
          <Route path="/lines/:line" element={<LinePage />} />
          <Route path="/statements" element={<StatementsPage />} />
          <Route path="/proposals" element={<ProposalsPage me={me.name} />} />
          <Route path="/dead-letters" element={<DeadLettersPage />} />
          <Route path="/self-audit" element={<SelfAuditPage />} />
          <Route path="/audit" element={<AuditPage />} />
          <Route path="*" element={<Navigate to="/merchants" replace />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
