import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mt940 } from "@collect/testing";
import { z } from "zod";
import { check } from "./check.ts";
import type { Deployment } from "./compose.ts";

const ACCOUNT = "1700313889";
const HOUR_MS = 3_600_000;
/** The last day in Lagos that ended more than five minutes ago: before, it is not complete. */
const DAY = new Date(Date.now() - 23.1 * HOUR_MS).toISOString().slice(0, 10);
const Sheet = z.object({
  state: z.string(),
  closed_by: z.string().nullable(),
  digest: z.string().nullish(),
  accounts: z.array(z.object({ lines: z.number(), matched: z.number() })),
});

type Booked = { sessionId: string; amount: number; fee: number; vat: number } | undefined;

/**
 * A statement with the partner's transfer and a charge of the bank: one operator imports it and explains the charge, and may
 * therefore not close the day; another one may.
 */
export async function closeDay({ ops, files, secondOperator }: Deployment, booked: Booked): Promise<void> {
  check(booked !== undefined, "the partner booked nothing");
  await writeFile(join(files, "day.sta"), statementOf(booked));
  await ops(["statements", "account", ACCOUNT, "--bank", "providus", "--pays-out", "--charge-words", "FEE"]);
  await ops(["statements", "import", "/files/day.sta"]);
  await ops(["day", "explain", DAY, "charge", "--amount", "-50.00", "--reason", "Monthly fee"]);
  const show = async () => Sheet.parse(JSON.parse(await ops(["day", "show", DAY, "--json"])));
  const { digest, accounts } = await show();
  check(
    accounts.every(({ lines, matched }) => lines === 2 && matched === 1),
    "the transfer is not matched by its session id",
  );
  const close = ["day", "close", DAY, "--seen", digest ?? ""];
  const refused = await ops(close).catch((error) => String(error.stderr));
  check(refused.includes("another person closes the day"), `the importer's closing: ${refused}`);
  await ops(close, secondOperator);
  const { state, closed_by } = await show();
  check(state === "closed" && closed_by === "bola", `it is ${state}, by ${closed_by}`);
}

/** MT940, with the settled amount of the transfer under its session id. */
function statementOf({ sessionId, amount, fee, vat }: NonNullable<Booked>): string {
  const lines = [
    { amount: BigInt(amount - fee - vat), narration: `NIP ${sessionId} FROM FUNKE LAWAL` },
    { amount: -5_000n, narration: "MAINTENANCE FEE" },
  ];
  return mt940({ account: ACCOUNT, day: DAY, number: 1, opening: 0n, lines });
}
