import { startTestPostgres } from "./postgres.ts";

/** One PostgreSQL for a vitest run. Test files clone their databases in it. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres();
  process.env.TEST_DATABASE_URL = url;
  return stop;
}
