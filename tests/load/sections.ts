import type { Figures } from "./report.ts";

/** `byItself`: it takes minutes, so it runs only when named. */
export type Section = { name: string; byItself?: true; measure(): Promise<Partial<Figures>> };

/**
 * Measures the sections one after another into `figures`. A failed section is skipped with its reason and does not affect the others:
 * minutes of measurement are not lost to the last one.
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

/** The message of an error and its causes: only the cause says why a connection failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
