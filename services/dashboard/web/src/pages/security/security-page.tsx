import { Page } from "../../components/page.tsx";
import { Devices } from "./devices.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SignIns } from "./sign-ins.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** The user's sign-in settings, independent of the business shown. */
export function SecurityPage() {
  return (
    <Page title="Security" lead="How you sign in. These settings apply to every business you belong to.">
      <PasswordForm />
      <Passkeys />
      <TwoFactor />
      <Devices />
      <SignIns />
    </Page>
  );
}
