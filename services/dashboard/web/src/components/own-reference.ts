/** A suggested merchant reference: unique and readable. Each reference creates one object only. */
export function newReference(noun: "transfer" | "session"): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  return `${noun}-${day}-${crypto.randomUUID().slice(0, 8)}`;
}
