import { Route, Routes } from "react-router";
import { ConfirmAddressPage } from "./account/confirm-address-page.tsx";
import { ForgotPasswordPage } from "./account/forgot-password-page.tsx";
import { InvitationPage } from "./account/invitation-page.tsx";
import { NewBusinessPage } from "./account/new-business-page.tsx";
import { NothingHerePage } from "./account/nothing-here-page.tsx";
import { ResetPasswordPage } from "./account/reset-password-page.tsx";
import { SignInLinkPage } from "./account/sign-in-link-page.tsx";
import { SignInPage } from "./account/sign-in-page.tsx";
import { SignUpPage } from "./account/sign-up-page.tsx";

/** The pages about the user rather than a merchant, and the not-found page. */
export default function AccountPages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/sign-in/link/:token" element={<SignInLinkPage />} />
      <Route path="/forgot-password" element={<ForgotPasswordPage />} />
      <Route path="/reset-password/:token" element={<ResetPasswordPage />} />
      <Route path="/confirm-address/:token" element={<ConfirmAddressPage />} />
      <Route path="/sign-up" element={<SignUpPage />} />
      <Route path="/new-business" element={<NewBusinessPage />} />
      <Route path="/invitation/:token" element={<InvitationPage />} />
      <Route path="*" element={<NothingHerePage />} />
    </Routes>
  );
}
