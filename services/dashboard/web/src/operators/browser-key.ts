import { nkeyOf, toBeSigned } from "./nkey.ts";

/**
 * The operator's private key. The browser keeps it for this address and signs with it, and gives it to no page: it cannot be
 * copied by a script, and the server never has it.
 */
export type BrowserKey = { public_key: string; private_key: CryptoKey };

const [DATABASE, STORE, OWN] = ["collect-operators", "keys", "own"];

export async function findKey(): Promise<BrowserKey | null> {
  return inStore<BrowserKey | undefined>("readonly", (store) => store.get(OWN)).then((found) => found ?? null);
}

/** The key of this browser: the one that it has, or else a new one. */
export async function makeKey(): Promise<BrowserKey> {
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("This browser makes no keys of this kind.");
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const made = { public_key: nkeyOf(raw), private_key: pair.privateKey };
  // A second window may have made one meanwhile: the first stays.
  await inStore("readwrite", (store) => store.add(made, OWN)).catch(() => {});
  return (await findKey()) ?? made;
}

/** After the key was removed it is never accepted again. */
export const dropKey = () => inStore("readwrite", (store) => store.delete(OWN));

/** Signs exactly this input to this subject, now. */
export async function sign(
  { public_key, private_key }: BrowserKey,
  order: { subject: string; body: string; proposal?: string | undefined },
) {
  const signed = { public_key, at: new Date().toISOString(), request_id: crypto.randomUUID() };
  const bytes = await crypto.subtle.sign("Ed25519", private_key, await toBeSigned({ ...order, ...signed }));
  const signature = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return { ...signed, ...(order.proposal && { proposal: order.proposal }), signature };
}

function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = work(opening.result.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    };
  });
}
