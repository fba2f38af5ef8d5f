/** What responses contained, by the name under which a later call may send it. At most 50 of each. */
export type Known = Map<string, unknown[]>;

const NAMES: Record<string, string> = { code: "bank_code", next: "after" };
const KEPT = 50;

export function remember(known: Known, body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === "object") remember(known, value);
    else if (typeof value === "string") keep(known, NAMES[name] ?? name, value);
  }
}

function keep(known: Known, name: string, value: string): void {
  const kept = known.get(name) ?? [];
  if (!kept.includes(value)) known.set(name, [value, ...kept].slice(0, KEPT));
}
