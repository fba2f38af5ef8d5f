import { openPlainLedgers } from "./plain-sql.ts";
import { openLedgers, type Poster, type PostingFigures, type Rates, type Spread, sequentially } from "./postings.ts";

export type LedgerFigures = {
  postings: PostingFigures;
  /** The rates at the best number of connections, and that number. */
  plainSql: Rates & { connections: Rates };
};

const CONNECTIONS = [1, 2, 4, 8, 16];
const TRY_SECONDS = 1;
/** Every poster runs once per round and the median counts, so that other load on the machine affects all of them alike. */
const ROUNDS = 5;

/** Postings per second of the ledger's own store and of plain SQL, side by side on one server. `seconds` is the total time of each poster. */
export async function measureLedger(admin: string, seconds: number): Promise<LedgerFigures> {
  const candidates = await openPlainLedgers(admin, CONNECTIONS);
  const tried = await sequentially(candidates, async (poster) => ({ poster, rate: await rateOf(poster, TRY_SECONDS) }));
  const best = (spread: Spread) =>
    tried.filter(({ poster }) => poster.spread === spread).reduce((a, b) => (b.rate > a.rate ? b : a)).poster;
  const plain: Record<Spread, Poster> = { hot: best("hot"), spread: best("spread") };

  const posters = [plain.hot, plain.spread, ...(await openLedgers(admin))];
  try {
    const rates = new Map(posters.map((poster) => [poster, [] as number[]]));
    await sequentially(posters, (poster) => rateOf(poster, TRY_SECONDS));
    for (let round = 0; round < ROUNDS; round++)
      for (const [poster, measured] of rates) measured.push(await rateOf(poster, seconds / ROUNDS));
    const medianOf = (poster: Poster | undefined) => median((poster && rates.get(poster)) ?? []);
    const ledger = (batch: number): Rates => ({
      hot: medianOf(posters.find(({ name, spread }) => name === `batch${batch}` && spread === "hot")),
      spread: medianOf(posters.find(({ name, spread }) => name === `batch${batch}` && spread === "spread")),
    });
    const connections = { hot: connectionsOf(plain.hot), spread: connectionsOf(plain.spread) };
    return {
      postings: { batch1: ledger(1), batch20: ledger(20), batch200: ledger(200) },
      plainSql: { hot: medianOf(plain.hot), spread: medianOf(plain.spread), connections },
    };
  } finally {
    await Promise.all([...new Set([...posters, ...candidates])].map((poster) => poster.close()));
  }
}

/** Collections per second while it posts for `seconds`. */
async function rateOf(poster: Poster, seconds: number): Promise<number> {
  const start = performance.now();
  let posted = 0;
  while (performance.now() - start < seconds * 1_000) posted += await poster.post();
  return (posted / (performance.now() - start)) * 1_000;
}

const connectionsOf = ({ name }: Poster) => Number(name.replace("plain", ""));
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
