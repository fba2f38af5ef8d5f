import { answer, type Request } from "@collect/bus";
import { getCompletenessProof } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { minutesOf } from "../domain/audit-windows.ts";
import type { HeldMinute } from "../domain/completeness.ts";
import { readDifferences, readProof, readUnfinished } from "../store/audit.ts";

/** What the services were last found to hold; only what is unfinished is counted now. */
export const answerProof = (pool: Pool): Request =>
  answer(getCompletenessProof, async () => {
    const [{ proven_at, proven_from: from, proven_to: to, compared }, differences, unfinished] = await Promise.all([
      readProof(pool),
      readDifferences(pool),
      readUnfinished(pool),
    ]);
    return {
      proven_at,
      from,
      to,
      minutes: from && to ? minutesOf({ from: new Date(from), to: new Date(to) }) : 0,
      compared: compared.map(flat),
      differences: differences.map(flat),
      unfinished,
    };
  });

const flat = ({ held, ...minute }: HeldMinute) => ({ ...minute, ...held });
