import { MODES, SESSION_STATUSES } from "@collect/contracts";
import { useWorld } from "@collect/testing";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { soughtInList } from "../src/domain/sought.ts";
import { listCollections, readListedCollections } from "../src/inbound/store/collection-lists.ts";
import { listPayers } from "../src/inbound/store/payer-lists.ts";
import { listLinks } from "../src/inbound/store/payment-link-lists.ts";
import { searchCollections, searchLinks, searchPayers, searchSessions } from "../src/inbound/store/search.ts";
import { listSessions } from "../src/inbound/store/session-lists.ts";
import { searchTransfers } from "../src/outbound/store/search.ts";
import { listTransfers } from "../src/outbound/store/transfer-lists.ts";
import { openPrisma } from "../src/store/prisma.ts";
import { directory } from "./inbound/sessions-world.ts";

/** Rows of everybody have the same customers, accounts and orders, at the same times: only the merchant and the mode tell them apart. */
const OWNERS = ["mer_a", "mer_b"].flatMap((id) => MODES.map((mode) => ({ id, mode })));
const ROWS = 12;
const START = Date.parse("2026-11-21T09:30:00Z");

const world = await useWorld({ service: "payments", directory });
const prisma = openPrisma(world.pool);

beforeAll(async () => {
  for (const { id, mode } of OWNERS) for (const insert of INSERTS) await world.owner.query(insert, [id, mode, ROWS]);
});

const ROW = `select $1 || '_' || $2 || '_' || n as own, n, timestamptz '2026-11-21 09:30:00Z' + n / 3 * interval '1 minute' as at
  from generate_series(1, $3::integer) n`;
const INSERTS = [
  `insert into payers (merchant_id, mode, bank_name, account_number, name)
   select $1, $2, 'Zenith', '000000000' || n % 3, 'Ada ' || n from (${ROW}) r`,
  `insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, payer_id, amount, fee, net,
     currency, payment_reference, merchant_reference, paid_at, received_at, posted_at)
   select 'int_' || own, 'col_' || own, $1, $2, '900000000' || n % 3, 'same_' || n % 3, p.id, 100, 1, 99, 'NGN', 'same_' || n % 4,
     'same_' || n % 2, at, at, at
   from (${ROW}) r join payers p on p.merchant_id = $1 and p.mode = $2 and p.name = 'Ada ' || n`,
  `insert into sessions (reference, merchant_id, mode, merchant_name, merchant_reference, opened_by, payment_link, link_key, amount,
     amount_requested, account_number, account_name, bank_name, is_customer_account, customer_reference, details_required, status,
     created_at, expires_at, watch_until, slot_held)
   select 'pay_' || own, $1, $2, 'Stores', case n % 3 when 1 then 'same_' || n when 2 then 'same_1' end,
     (array['payment_link', 'secret_key', 'public_key'])[1 + n % 3], case n % 3 when 0 then 'same_link' end, case n % 3 when 0 then own end,
     100001, 100000, '9000000000', 'Stores', 'Test Bank', true, 'same_' || n % 3, false,
     case n % 2 when 0 then 'expired' else 'pending' end, at, at, at, false from (${ROW}) r`,
  `insert into transfers (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number, account_name,
     step, created_at)
   select 'trf_' || own, $1, $2, 'same_' || n, 100, '058', 'GTB', '900000000' || n % 3, 'Ada', 'reserved', at from (${ROW}) r`,
  `insert into payment_links (slug, merchant_id, mode, merchant_name, key, title, created_at)
   select 'lnk_' || own, $1, $2, 'Stores', 'same_' || n, 'Lamp', at from (${ROW}) r`,
];

const SOUGHT = [
  "same_0",
  "same_1",
  "9000000001",
  "0000000001",
  "Ada",
  "col_mer_a_test_1",
  "pay_mer_b_live_2",
  "trf_mer_a_live_3",
];
const Query = fc.record({
  owner: fc.constantFrom(...OWNERS),
  search: fc.option(fc.constantFrom(...SOUGHT), { nil: undefined }),
  customerReference: fc.option(fc.constantFrom("same_0", "same_1", "same_2"), { nil: undefined }),
  paymentLink: fc.option(fc.constant("same_link"), { nil: undefined }),
  status: fc.option(fc.constantFrom(...SESSION_STATUSES), { nil: undefined }),
  payerId: fc.option(fc.integer({ min: 1, max: ROWS * OWNERS.length }).map(String), { nil: undefined }),
  minutes: fc.option(fc.tuple(fc.nat(5), fc.nat(5)), { nil: undefined }),
  key: fc.constantFrom("", "int_mer_b", "pay_mer_a_test_7", "zzz"),
  limit: fc.integer({ min: 1, max: 50 }),
});

test("no list shows a row of another merchant or of the other mode, whatever is asked for and from wherever a page goes on", async () => {
  await fc.assert(
    fc.asyncProperty(Query, async (asked) => {
      const own = `${asked.owner.id}_${asked.owner.mode}`;
      for (const shown of [...(await everyList(asked)), ...(await everySearch(asked))])
        expect(shown.filter((row) => !row.includes(own))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("and each shows all of the merchant's own rows where nothing narrows it", async () => {
  for (const owner of OWNERS) {
    const nothing = { search: undefined, customerReference: undefined, paymentLink: undefined, status: undefined };
    const asked = { ...nothing, owner, payerId: undefined, minutes: undefined, key: "" as const, limit: 50 };
    const own = ROWS;
    expect((await everyList(asked)).map((rows) => rows.length)).toEqual([own, own, own, own, own, own, own, own]);
  }
});

/** What each list shows, by references that say whose they are. */
async function everyList({
  owner,
  search,
  customerReference,
  paymentLink,
  status,
  payerId,
  minutes,
  key,
  limit,
}: Asked) {
  const [first, last] = minutes ?? [];
  const at = (minute: number) => new Date(START + minute * 60_000);
  const before = last === undefined ? new Date("9999-12-31T00:00:00Z") : at(last);
  const page = { from: first === undefined ? undefined : at(first), before, key, limit };
  const everybodys = (prefix: string) =>
    OWNERS.flatMap(({ id, mode }) => Array.from({ length: ROWS }, (_, n) => `${prefix}_${id}_${mode}_${n + 1}`));
  const payerIds = Array.from({ length: ROWS * OWNERS.length }, (_, n) => String(n + 1));
  // As if a search had found the rows of all.
  const found = (prefix: string) => (search === undefined ? undefined : everybodys(prefix));
  const payers = await listPayers(world.pool, owner, { limit, after: payerId, ...(search && { searched: payerIds }) });
  return Promise.all([
    listCollections(prisma, owner, {
      page,
      filter: { customerReference, payerId, searched: found("int") },
    }).then(references),
    readListedCollections(prisma, owner, everybodys("int")).then(references),
    listSessions(prisma, owner, {
      page,
      filter: { status, customerReference, paymentLink, searched: found("pay") },
    }).then(references),
    listTransfers(prisma, owner, {
      page,
      filter: { ...(search && { search: { text: search, references: everybodys("trf") } }) },
    }).then(references),
    listTransfers(prisma, owner, {
      page,
      filter: { ...(search && { search: { text: search, references: [search] } }) },
    }).then(references),
    listLinks(world.pool, owner, { filter: {}, after: [], limit }).then((rows) => rows.map(({ slug }) => slug)),
    listLinks(world.pool, owner, { filter: { searched: everybodys("lnk") }, after: [], limit }).then((rows) =>
      rows.map(({ slug }) => slug),
    ),
    ownersOf(payers.map(({ id }) => id)),
  ]);
}
type Asked = typeof Query extends fc.Arbitrary<infer Value> ? Value : never;

/** What the search of each list finds. */
async function everySearch({ owner, search = "lnk" }: Asked) {
  const [payers, ...others] = await Promise.all(
    [searchPayers, searchCollections, searchSessions, searchTransfers, searchLinks].map((find) =>
      find(world.pool, owner, soughtInList(search)),
    ),
  );
  return [await ownersOf((payers?.keys ?? []).map(BigInt)), ...others.map(({ keys }) => keys)];
}

const references = (rows: { reference: string }[]) => rows.map(({ reference }) => reference);

async function ownersOf(payerIds: bigint[]): Promise<string[]> {
  const { rows } = await world.owner.query("select merchant_id || '_' || mode as own from payers where id = any($1)", [
    payerIds,
  ]);
  return rows.map(({ own }) => own);
}
