import type { prismaAdapter } from "@better-auth/prisma-adapter";
import { z } from "zod";
import type { SecondFactors, TwoFactorColumn } from "./second-factors.ts";

type OpenAdapter = ReturnType<typeof prismaAdapter>;
type Adapter = ReturnType<OpenAdapter>;
type Calls = Pick<Adapter, "create" | "findOne" | "findMany" | "update" | "updateMany" | "incrementOne">;
type Given<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
type Where = Given<"findOne">["where"];

/** The model as better-auth calls it. */
const MODEL = "twoFactor";
const COLUMNS = ["secret", "backupCodes"] as const satisfies TwoFactorColumn[];
const Row = z.object({ userId: z.string(), secret: z.string(), backupCodes: z.string() });
/** An encryption of the same secrets that comes between, once, is no conflict. */
const ATTEMPTS_MAX = 2;

/** The database of better-auth, in which second factors are sealed on their way in and opened on their way out. */
export function withSealedTwoFactors(openAdapter: OpenAdapter, factors: SecondFactors): OpenAdapter {
  return (options) => {
    const adapter = openAdapter(options);
    const { transaction } = adapter;
    // Changed in place: better-auth recognizes the adapter by its identity.
    return Object.assign(adapter, sealed(adapter, factors), {
      transaction: ((work) =>
        transaction((inner) => work(Object.assign(inner, sealed(inner, factors))))) satisfies Adapter["transaction"],
    });
  };
}

function sealed(calls: Calls, factors: SecondFactors): Calls {
  const { create, findOne, findMany, update, updateMany, incrementOne } = calls;
  const { stored, opened, sealedFor, onStored } = rowsOf(calls, factors);
  return {
    async create(given) {
      if (given.model !== MODEL) return create(given);
      const { userId } = Row.parse(given.data);
      return opened(await create({ ...given, data: await sealedFor(userId, given.data) }));
    },
    async findOne<Found>(given: Given<"findOne">) {
      const found = await findOne<Found>(given);
      return given.model === MODEL ? opened(found) : found;
    },
    async findMany<Found>(given: Given<"findMany">) {
      const found = await findMany<Found>(given);
      return given.model === MODEL ? Promise.all(found.map(opened)) : found;
    },
    async update<Found>(given: Given<"update">) {
      if (given.model !== MODEL) return update<Found>(given);
      const row = await stored(given.where);
      if (!row) return null;
      return opened(await update<Found>({ ...given, update: await sealedFor(row.userId, given.update) }));
    },
    async updateMany(given) {
      if (given.model === MODEL) throw new Error("second factors are changed one by one: each is sealed for its user");
      return updateMany(given);
    },
    async incrementOne<Found>(given: Given<"incrementOne">) {
      if (given.model !== MODEL) return incrementOne<Found>(given);
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const row = await stored(given.where.filter(({ field }) => !COLUMNS.some((column) => column === field)));
        const where = row && (await onStored(given.where, row));
        if (!row || !where) return null;
        const set = given.set && (await sealedFor(row.userId, given.set));
        const changed = await incrementOne<Found>({ ...given, where, ...(set && { set }) });
        if (changed) return opened(changed);
      }
      return null;
    },
  };
}

/** Rows in the form in which they are stored, and in better-auth's. */
function rowsOf({ findOne }: Calls, factors: SecondFactors) {
  /** The row as it is stored. */
  const stored = async (where: Where) => Row.optional().parse((await findOne({ model: MODEL, where })) ?? undefined);

  async function opened<Result>(result: Result): Promise<Result> {
    const row = Row.safeParse(result);
    if (!row.success || typeof result !== "object" || result === null) return result;
    const { userId } = row.data;
    const texts = await Promise.all(COLUMNS.map((column) => factors.fromStored(userId, column, row.data[column])));
    return Object.assign(result, Object.fromEntries(COLUMNS.map((column, index) => [column, texts[index]])));
  }

  async function sealedFor<Data extends object>(userId: string, data: Data): Promise<Data> {
    const given = Row.partial().parse(data);
    const changes: Partial<Record<TwoFactorColumn, string>> = {};
    for (const column of COLUMNS) {
      const text = given[column];
      if (text !== undefined) changes[column] = await factors.toStored(userId, column, text);
    }
    return { ...data, ...changes };
  }

  /** The same condition on what is stored: encrypting a text twice gives two texts. Undefined if it is not met. */
  async function onStored(where: Where, row: z.output<typeof Row>): Promise<Where | undefined> {
    const conditions = [];
    for (const condition of where) {
      const column = COLUMNS.find((name) => name === condition.field);
      if (column && !(await factors.areSame(row.userId, column, row[column], String(condition.value))))
        return undefined;
      conditions.push(column ? { ...condition, value: row[column] } : condition);
    }
    return conditions;
  }

  return { stored, opened, sealedFor, onStored };
}
