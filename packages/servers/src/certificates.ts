import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { X509Certificate } from "@peculiar/x509";

/** A certificate authority for tests. */
export type Authority = {
  /** The path of its own certificate. */
  file: string;
  /** A certificate for a server that clients call by this name, and its private key, as PEM. */
  certify(name: string): Promise<{ certificate: string; key: string }>;
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const HOUR_MS = 3_600_000;

/** `directory` gets its certificate. Its private key, and those that it certifies, are in memory. */
export async function createAuthority(directory: string): Promise<Authority> {
  const { BasicConstraintsExtension, X509CertificateGenerator } = await x509();
  const keys = await createKeys();
  const { notBefore, notAfter } = validity();
  const own = await X509CertificateGenerator.createSelfSigned({
    ...{ name: "CN=Test authority", keys, notBefore, notAfter, signingAlgorithm: ALGORITHM },
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  await mkdir(directory, { recursive: true });
  const file = join(directory, "authority.pem");
  await writeFile(file, own.toString("pem"));
  return { file, certify: (name) => certify(own, keys, name) };
}

async function certify(authority: X509Certificate, { privateKey: signingKey }: Keys, name: string) {
  const { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } = await x509();
  const { publicKey, privateKey } = await createKeys();
  const certificate = await X509CertificateGenerator.create({
    ...{ subject: `CN=${name}`, issuer: authority.subject, publicKey, signingKey, signingAlgorithm: ALGORITHM },
    ...validity(),
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: name }])],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey("pkcs8", privateKey), "PRIVATE KEY");
  return { certificate: certificate.toString("pem"), key };
}

type Keys = Awaited<ReturnType<typeof createKeys>>;
const createKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

/** Loaded on demand: it takes 100 ms, and most tests need no certificate. */
const x509 = () => import("@peculiar/x509");

const validity = () => ({ notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) });
