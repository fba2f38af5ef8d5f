/** Proposed as the merchant's own reference: unique, and still to be read by a person. Under one reference a thing is made once. */
export function newReference(noun: "transfer" | "session"): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  return `${noun}-${day}-${crypto.randomUUID().slice(0, 8)}`;
}
