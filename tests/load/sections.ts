import type { Figures } from "./report.ts";

/** `byItself`: it takes minutes of its own, so it runs only when it is named. */
export type Section = { name: string; byItself?: true; measure(): Promise<Partial<Figures>> };

/**
 * Measures one section after the other into `figures`. One that fails is left out, with its reason, and takes no other with it:
 * minutes of measuring are not lost to the last of them.
 */
export async function measureSections(
  sections: Section[],
  { figures, announce }: { figures: Figures; announce(section: string): void },
): Promise<void> {
  for (const { name, measure } of sections) {
    announce(name);
    try {
      Object.assign(figures, await measure());
    } catch (error) {
      figures.leftOut.push({ section: name, reason: reasonOf(error) });
    }
  }
}

/** What an error says, and what caused it: why a connection failed is told by the cause alone. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
