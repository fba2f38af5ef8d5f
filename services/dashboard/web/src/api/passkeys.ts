import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { actPerson } from "./calls.ts";
import { call } from "./client.ts";
import { ApiProblem } from "./problem.ts";

/** WebAuthn in the browser. Its client is loaded when it is first used. */
const loadClient = () => import("@simplewebauthn/browser");

/** Signs in, or reauthenticates, with a passkey that verifies its user. */
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await loadClient();
  const path = "auth/passkey/generate-authenticate-options";
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>("GET", "/api", path);
  const response = await asking(() => startAuthentication({ optionsJSON }));
  await actPerson("auth/passkey/verify-authentication", { response: { ...response } });
}

/** Creates a passkey on this device, in a password manager or on a security key. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await loadClient();
  const path = "auth/passkey/generate-register-options";
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>("GET", "/api", path);
  const response = await asking(() => startRegistration({ optionsJSON }));
  await actPerson("auth/passkey/verify-registration", { response: { ...response }, name });
}

/** The browser's errors are for developers; most often the person has closed its dialog. */
async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    const detail = isKnown
      ? "This device already has a passkey for your account."
      : "No passkey was used. Try again, or choose another way.";
    throw new ApiProblem({ status: 400, code: "validation_failed", detail });
  });
}
