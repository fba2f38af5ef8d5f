import { answer, type Request } from "@collect/bus";
import {
  activateSigningSecret,
  cancelSigningSecret,
  explainSignature as explainSignatureRequest,
  type MerchantScope,
  Problem,
  stageSigningSecret,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { explainSignature, namedEvent } from "../domain/explain-signature.ts";
import { noEndpoint } from "../domain/refusals.ts";
import { findNamedEvent } from "../store/event-log.ts";
import { activateSecret, cancelStagedSecret, stageSecret } from "../store/signing-secrets.ts";
import { findEndpoint } from "../store/webhook-endpoints.ts";
import { newSecret } from "../use-cases/new-secret.ts";
import { openRow, type SealedSecrets } from "../use-cases/sealed-secrets.ts";

type Deps = { pool: Pool; lists: Pool; secrets: SealedSecrets };

/** Rotation of the signing secret without losing a delivery, and explanations of signatures that do not match. */
export function signingSecretRequests({ pool, lists, secrets }: Deps): Request[] {
  const findSecrets = async (merchant: MerchantScope) => {
    const endpoint = await findEndpoint(pool, merchant);
    return endpoint && openRow(secrets, merchant, endpoint);
  };
  return [
    answer(stageSigningSecret, async ({ merchant }) => {
      const staged = await stageSecret(pool, merchant, secrets.seal(merchant, newSecret()));
      if (!staged) throw noEndpoint();
      return { ...staged, staged_secret: secrets.open(merchant, staged.staged_secret) };
    }),
    answer(activateSigningSecret, async ({ merchant }) => {
      const secret = await activateSecret(pool, merchant);
      if (secret === undefined) throw new Problem("conflict", "No signing secret is staged. It may already be active.");
      return { secret: secrets.open(merchant, secret) };
    }),
    answer(cancelSigningSecret, async ({ merchant }) => ({ cancelled: await cancelStagedSecret(pool, merchant) })),
    answer(explainSignatureRequest, async ({ merchant, body, signature, secret }) => {
      const { id, mode } = merchant;
      const named = namedEvent(body);
      const [endpoint, other, event] = await Promise.all([
        findSecrets(merchant),
        findSecrets({ id, mode: mode === "test" ? "live" : "test" }),
        named && findNamedEvent(lists, merchant, named),
      ]);
      if (!endpoint) throw noEndpoint();
      const explanation = explainSignature(
        { body, signature, secret },
        {
          mode,
          secret: endpoint.secret,
          stagedSecret: endpoint.staged_secret,
          otherModeSecrets: [other?.secret, other?.staged_secret].filter((key) => typeof key === "string"),
          event: event?.body,
        },
      );
      return { ...explanation, sequence: event ? Number(event.sequence) : null, mode };
    }),
  ];
}
