import type { Stack } from "../stack.ts";

const OWNERS = ["accounts", "ledger", "payments", "webhooks"] as const;
/** Counters of limits: a refused call counts, too. */
const COUNTERS = new Set(["account_creations", "account_enquiries", "test_volume"]);

/**
 * Reads what a merchant has in every table of every service that keeps anything of merchants: the rows and their content, but for
 * `copied_at`, with which a sweep notes that another service has its copy.
 */
export async function rowReader(stack: Stack): Promise<(merchantId: string) => Promise<string>> {
  const statements = await Promise.all(
    OWNERS.map(async (owner) => {
      const { rows } = await stack.database(owner).query<{ name: string }>(
        `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
         where column_name = 'merchant_id' and table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
      );
      const tables = rows.map(({ name }) => name).filter((name) => !COUNTERS.has(name));
      const counts = tables.map(
        (name) =>
          `select '${name}' as name, count(*), coalesce(sum(hashtext((to_jsonb(t) - 'copied_at')::text)::bigint), 0) as content from "${name}" t where merchant_id = $1`,
      );
      return { owner, statement: counts.join(" union all ") };
    }),
  );
  return async (merchantId) => {
    const found = await Promise.all(
      statements.map(async ({ owner, statement }) => {
        const { rows } = await stack
          .database(owner)
          .query<{ name: string; count: string; content: string }>(statement, [merchantId]);
        return rows.map(({ name, count, content }) => `${owner}.${name} ${count} ${content}`).sort();
      }),
    );
    return found.flat().join("\n");
  };
}
