import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** An authenticator of WebAuthn in software: what a phone does, and what a dishonest one may do. */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }));

  /** WebAuthn, 6.1: the hash of the relying party, flags (present 1, verified 4, key attached 64), the counter. */
  function authenticatorData({ isVerified, key }: { isVerified: boolean; key?: Buffer }): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    const flags = Buffer.of(1 | (isVerified ? 4 : 0) | (key ? 64 : 0));
    return Buffer.concat([sha256(new URL(origin).hostname), flags, count, ...(key ? [key] : [])]);
  }

  const common = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
  return {
    register(challenge: string, isVerified = true) {
      // CBOR of the COSE key: kty EC2, alg ES256, crv P-256, x, y.
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const attached = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
      const data = authenticatorData({ isVerified, key: attached });
      // CBOR of {fmt: "none", attStmt: {}, authData}.
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.of(data.length),
        data,
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", challenge).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      };
      return { ...common, response, clientExtensionResults: {} };
    },
    authenticate(challenge: string, isVerified = true) {
      const data = authenticatorData({ isVerified });
      const client = clientData("webauthn.get", challenge);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      return { ...common, response, clientExtensionResults: {} };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
