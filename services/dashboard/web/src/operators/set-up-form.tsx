import { Center, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "../components/copy.tsx";
import { AccountFrame } from "../pages/account/account-frame.tsx";
import { QrCode } from "../pages/security/qr-code.tsx";
import { signInBy } from "./api.ts";
import { toBase32 } from "./nkey.ts";
import { PasswordAndCode } from "./password-and-code.tsx";

/** The first time: a password and an authenticator, whose secret is drawn here and kept encrypted under the password. */
export function SetUpForm({ name }: { name: string }) {
  const [secret] = useState(() => toBase32(crypto.getRandomValues(new Uint8Array(20))));
  const address = `otpauth://totp/Collect%20operators:${name}?secret=${secret}&issuer=Collect%20operators`;
  return (
    <AccountFrame
      title={`Welcome, ${name}`}
      lead="Choose a password and set up an authenticator app. You need both at every sign-in, in this browser."
    >
      <PasswordAndCode
        onSend={(given) => signInBy("gateway.operator_sign_in.set_up", { ...given, totp_secret: secret })}
        submit="Finish and sign in"
        password={{
          label: "New password",
          description: "At least 12 characters. Four or five random words work well.",
          autoComplete: "new-password",
          minLength: 12,
        }}
      >
        <Text size="sm">Scan this with the authenticator app, or type the key into it.</Text>
        <Center>
          <QrCode text={address} label="QR code for the authenticator app" />
        </Center>
        <Copy value={secret} what="key for the authenticator" />
      </PasswordAndCode>
    </AccountFrame>
  );
}
