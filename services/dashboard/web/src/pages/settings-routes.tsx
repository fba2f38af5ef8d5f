import { Navigate, Route, Routes } from "react-router";
import { Sections } from "../components/sections.tsx";
import { AuditPage } from "./audit/audit-page.tsx";
import { PayoutLimitsPage } from "./payout-limits/payout-limits-page.tsx";
import { SecurityPage } from "./security/security-page.tsx";
import { TeamPage } from "./team/team-page.tsx";
import { VerificationPage } from "./verification/verification-page.tsx";

const SECTIONS = [
  ["verification", "Business verification"],
  ["team", "Team"],
  ["payouts", "Payouts"],
  ["security", "Security"],
  ["audit", "Audit log"],
] as const;

export default function SettingsPages() {
  return (
    <Routes>
      <Route element={<Sections page="settings" label="Settings" sections={SECTIONS} />}>
        <Route path="verification" element={<VerificationPage />} />
        <Route path="team" element={<TeamPage />} />
        <Route path="payouts" element={<PayoutLimitsPage />} />
        <Route path="security" element={<SecurityPage />} />
        <Route path="audit" element={<AuditPage />} />
        <Route path="*" element={<Navigate to="../verification" replace />} />
        <Route index element={<Navigate to="verification" replace />} />
      </Route>
    </Routes>
  );
}
