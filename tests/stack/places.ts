import { SERVICES } from "@collect/contracts";
import type { Stack } from "../stack.ts";

/** The tables of all databases in which a text occurs, in any column and any case, as `service.table`. */
export async function placesOf(stack: Stack, text: string): Promise<string[]> {
  const found = await Promise.all(
    SERVICES.map(async (service) => {
      const pool = stack.database(service);
      const { rows: tables } = await pool.query<{ name: string }>(
        "select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
      );
      const places: string[] = [];
      for (const { name } of tables) {
        const { rows } = await pool.query(
          `select 1 from ${name} as t where lower(t::text) like any($1::text[]) limit 1`,
          [patternsOf(text)],
        );
        if (rows.length > 0) places.push(`${service}.${name}`);
      }
      return places;
    }),
  );
  return found.flat().toSorted();
}

/** A row as text shows bytes in hexadecimal, where the case of a letter counts. */
function patternsOf(text: string): string[] {
  const cases = [text, text.toLowerCase(), text.toUpperCase(), text[0]?.toUpperCase() + text.slice(1).toLowerCase()];
  return [text.toLowerCase(), ...cases.map((one) => Buffer.from(one).toString("hex"))].map((one) => `%${one}%`);
}
