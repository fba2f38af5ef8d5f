import { createHash } from "node:crypto";
import { type Bus, connectBus, createSeed, publicKeyOf } from "@collect/bus";
import {
  addOperator,
  closeDay,
  explainDifference,
  getOwnBalances,
  importStatements,
  listDays,
  putStatementPart,
  setBankAccount,
  showDay,
} from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { brokerAt, mt940, until } from "@collect/testing";
import type { Stack } from "../stack.ts";

/** Days of our account at a bank, of long ago: one is compared and closed in each round, by whichever releases run. */
export type BankDays = {
  /** Takes the statement of the next day, and closes it with a charge by a second operator. */
  closeNext(): Promise<void>;
  /** Whether the ledger has the charges of no day: with `BOOK_CHARGES=false` they wait. */
  haveWaited(): Promise<boolean>;
  /** Waits until the charges of all days are booked, by either release's closing, once each. */
  untilBooked(): Promise<void>;
  close(): Promise<void>;
};

const ACCOUNT = "1234567890";
/** The stack's partner. */
const BANK = "729";
const DAY_MS = 86_400_000;
/** There are more days than rounds until today. */
const FIRST_MS = Date.now() - 400 * DAY_MS;
/** In kobo. */
const [OPENING, CHARGE] = [100_000, 50];
const dayOf = (place: number) => new Date(FIRST_MS + place * DAY_MS).toISOString().slice(0, 10);

export async function openBankDays(stack: Stack): Promise<BankDays> {
  const { bus } = stack;
  const second = await aSecondOperator(stack);
  const account = { number: ACCOUNT, bank: BANK, pays_out: true, charge_words: ["FEE"], mapping: null };
  await bus.request(setBankAccount, account);
  let [closed, known, openings] = [0, 0, 0];
  return {
    async closeNext() {
      const day = dayOf(closed);
      await importDay(bus, closed);
      // Money flows: since the last round accounts have more, and payments had an order in each.
      const shown = await until("statements has read what accounts and payments know", async () => {
        const sheet = await bus.request(showDay, { day });
        const { incoming, outgoing } = await countMovements(stack);
        return incoming > known && outgoing >= closed && { incoming, sheet };
      });
      const { items } = shown.sheet;
      if (!items.some((item) => item.class === "charge" && item.amount === String(-CHARGE)))
        throw new Error(`${day} has no charge: ${JSON.stringify(shown.sheet)}`);
      // The first day has what stood in the account before, unless the last release closes it: then the next of this one has.
      for (const { key: item, amount } of items)
        await bus.request(explainDifference, { day, item, amount, reason: "as the bank says" });
      const sum = String(items.reduce((total, { amount }) => total + BigInt(amount), 0n));
      const { state, difference } = await second.request(closeDay, { day });
      if (state !== "closed" || difference !== sum) throw new Error(`${day} is ${state}, with ${difference}`);
      if (items.some(({ key }) => key.startsWith("opening:"))) openings++;
      if (openings > 1) throw new Error(`${day} has the opening balance once more`);
      await bus.request(listDays, {});
      known = shown.incoming;
      closed++;
    },
    haveWaited: async () => (await booked(stack)) === 0,
    async untilBooked() {
      await until("the charges of all closed days are booked", async () => (await booked(stack)) >= closed * CHARGE);
      if ((await booked(stack)) !== closed * CHARGE) throw new Error("more is booked than days were closed with");
      const days = Array.from({ length: closed }, (_, place) => dayOf(place));
      await until("statements knows that they are", async () => {
        const charges = (await Promise.all(days.map((day) => bus.request(showDay, { day })))).flatMap(
          (day) => day.charges,
        );
        return charges.length === closed && charges.every((charge) => charge?.booked);
      });
    },
    close: () => second.close(),
  };
}

/** A person who imports or gives reasons does not close the day. */
async function aSecondOperator({ bus, natsUrl }: Stack): Promise<Bus> {
  const seed = createSeed();
  await bus.request(addOperator, { name: "bola", public_key: publicKeyOf(seed) });
  const log = createLogger("tests", "silent");
  return connectBus({ ...brokerAt(natsUrl, "operator"), name: "operator", log, operatorSeed: seed });
}

/** In kobo. */
async function booked({ bus }: Stack): Promise<number> {
  const { modes } = await bus.request(getOwnBalances, {});
  return Math.round((modes.find(({ mode }) => mode === "live")?.bank_charges ?? 0) * 100);
}

async function importDay(bus: Bus, place: number): Promise<void> {
  const file = statement(place);
  const hash = createHash("sha256").update(file).digest("hex");
  await bus.request(putStatementPart, { hash, part: 1, data: file.toString("base64") });
  const { statements } = await bus.request(importStatements, { hash, parts: 1, name: `${dayOf(place)}.sta` });
  if (statements[0]?.lines !== 1) throw new Error(`of ${dayOf(place)} was taken: ${JSON.stringify(statements)}`);
}

function statement(place: number): Buffer {
  const opening = BigInt(OPENING - place * CHARGE);
  const lines = [{ amount: BigInt(-CHARGE), narration: "MAINTENANCE FEE" }];
  return Buffer.from(mt940({ account: ACCOUNT, day: dayOf(place), number: place + 1, opening, lines }));
}

/** How many movements of each direction statements has of what accounts and payments know. */
async function countMovements(stack: Stack): Promise<{ incoming: number; outgoing: number }> {
  const { rows } = await stack.database("statements").query(`
    select count(*) filter (where amount > 0)::integer as incoming, count(*) filter (where amount < 0)::integer as outgoing
    from movements`);
  return rows[0];
}
