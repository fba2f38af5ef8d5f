import { Navigate, Route, Routes } from "react-router";
import { Sections } from "../components/sections.tsx";
import { AuditPage } from "./audit/audit-page.tsx";
import { BusinessPage } from "./business/business-page.tsx";
import { FeesPage } from "./fees/fees-page.tsx";
import { MailPage } from "./mail/mail-page.tsx";
import { PayoutLimitsPage } from "./payout-limits/payout-limits-page.tsx";
import { SecurityPage } from "./security/security-page.tsx";
import { TeamPage } from "./team/team-page.tsx";
import { VerificationPage } from "./verification/verification-page.tsx";

export const SECTIONS = [
  ["business", "Business"],
  ["verification", "Verification"],
  ["team", "Team"],
  ["fees", "Fees and limits"],
  ["payouts", "Transfer limits"],
  ["security", "Security"],
  ["mail", "Emails"],
  ["audit", "Audit log"],
] as const;

export default function SettingsPages() {
  return (
    <Routes>
      <Route element={<Sections page="settings" label="Settings" sections={SECTIONS} />}>
        <Route path="business" element={<BusinessPage />} />
        <Route path="verification" element={<VerificationPage />} />
        <Route path="team" element={<TeamPage />} />
        <Route path="fees" element={<FeesPage />} />
        <Route path="payouts" element={<PayoutLimitsPage />} />
        <Route path="security" element={<SecurityPage />} />
        <Route path="mail" element={<MailPage />} />
        <Route path="audit" element={<AuditPage />} />
        <Route path="*" element={<Navigate to="../business" replace />} />
        <Route index element={<Navigate to="business" replace />} />
      </Route>
    </Routes>
  );
}
