import { describe, expect, test } from "vitest";
import * as monnify from "./monnify/simulator.ts";
import * as providus from "./providus/simulator.ts";
import { bankDoor, emptyDirectory, simulator } from "./simulator.ts";

const DAY_MS = 86_400_000;
/** A day in Lagos, so many before today. */
const dayBefore = (days: number) => new Date(Date.now() + 3_600_000 - days * DAY_MS).toISOString().slice(0, 10);
const noonOf = (day: string) => `${day}T12:00:00.000+01:00`;
const compact = (day: string) => day.slice(2).replaceAll("-", "");
const session = "000016000023261127120000000001";
const [before, yesterday] = [dayBefore(2), dayBefore(1)];

async function statement(url: string, day?: string) {
  const response = await fetch(`${url}/control/statement${day ? `?day=${day}` : ""}`);
  return { status: response.status, text: await response.text() };
}
const given = async (url: string, day?: string) => (await statement(url, day)).text.split("\r\n");
const field = (lines: string[], tag: string) => lines.filter((line) => line.startsWith(`:${tag}:`));

describe("a day's statement", () => {
  test("has what reached the account on it, net of charges, and what was taken back, reported or not", async () => {
    const { transfer, url } = await simulator({ doorUrl: (await bankDoor()).url });
    const paid = { account_number: "0000014579", paid_at: noonOf(yesterday) };
    await transfer({ ...paid, id: "T1", amount: 2500.73, bank_fee: 10, bank_vat: 0.75, session_id: session });
    await transfer({ ...paid, id: "T2", amount: 100, times: 0 });
    await transfer({ ...paid, id: "R1", amount: 100, type: "reversal", reverses: "T2" });
    await transfer({ ...paid, id: "USD", amount: 5, currency: "USD" });
    await transfer({ ...paid, id: "T1", amount: 9999, times: 2 });
    const day = compact(yesterday);
    expect(await given(url)).toEqual([
      `:20:${day}`,
      expect.stringMatching(/^:25:\d{10}$/),
      expect.stringMatching(/^:28C:\d{5}\/1$/),
      `:60F:C${day}NGN100000000,00`,
      `:61:${day}${day.slice(2)}C2489,98NTRFNONREF//T1`,
      `:86:Ngozi Eze ${session} T1`,
      `:61:${day}${day.slice(2)}C100,00NTRFNONREF//T2`,
      ":86:Ngozi Eze T2",
      `:61:${day}${day.slice(2)}D100,00NTRFNONREF//R1`,
      ":86:REVERSAL Ngozi Eze R1",
      `:62F:C${day}NGN100002489,98`,
      "-",
      "",
    ]);
  });

  test("continues the one of the day before, also after a restart, and stays as it was given", async () => {
    const dataDirectory = emptyDirectory();
    const first = await simulator({ dataDirectory });
    const paid = { account_number: "0000014579", amount: 100, times: 0 };
    await first.transfer({ ...paid, id: "T1", paid_at: noonOf(before) });
    const { text } = await statement(first.url, before);
    await first.stop();
    const second = await simulator({ dataDirectory });
    await second.transfer({ ...paid, id: "late", paid_at: noonOf(before) });
    expect((await statement(second.url, before)).text).toBe(text);
    const next = await given(second.url, yesterday);
    expect(field(next, "60F")).toEqual([`:60F:C${compact(yesterday)}NGN100000100,00`]);
    expect(field(next, "61")).toEqual([`:61:${compact(before)}${compact(yesterday).slice(2)}C100,00NTRFNONREF//late`]);
    const [one, two] = [text.split("\r\n"), next].map((lines) =>
      Number(/\d+/.exec(field(lines, "28C")[0]?.slice(5) ?? "")),
    );
    expect(two).toBe(Number(one) + 1);
  });

  test("without a line is one, too", async () => {
    const lines = await given((await simulator()).url, before);
    expect(field(lines, "61")).toEqual([]);
    expect(field(lines, "62F")).toEqual([`:62F:C${compact(before)}NGN100000000,00`]);
  });

  test("is refused while the day is not over, and for what is no day", async () => {
    const { url } = await simulator();
    expect(await statement(url, dayBefore(0))).toMatchObject({ status: 409 });
    expect(await statement(url, "yesterday")).toMatchObject({ status: 400 });
  });
});

test("Providus has what it settled: nothing of a transfer that is pending", async () => {
  const { control, url } = await providus.providus();
  const paid = { account_number: "9900000003", paid_at: noonOf(yesterday) };
  await control("/transfers", { ...paid, amount: 100, settlement_id: "settled" });
  await control("/transfers", { ...paid, amount: 200, times: 0, settlement_id: "pending" });
  const lines = await given(url);
  expect(field(lines, "25")).toEqual([`:25:${providus.access.sourceAccount}`]);
  expect(field(lines, "61")).toEqual([expect.stringMatching(/C99,46NTRFNONREF\/\/settled$/)]);
});

test("Providus takes back what it settled, and says so in its statement alone", async () => {
  const { control, url } = await providus.providus();
  const paid = { account_number: "9900000003", paid_at: noonOf(yesterday) };
  await control("/transfers", { ...paid, amount: 100, settlement_id: "settled" });
  await control("/transfers", { ...paid, amount: 200, times: 0, settlement_id: "pending" });
  const takeBack = (id: string, body = {}) => control(`/transfers/${id}/take-back`, body);
  expect(await takeBack("pending")).toMatchObject({ status: 409 });
  expect(await takeBack("unknown")).toMatchObject({ status: 404 });
  expect(await takeBack("settled", { amount: 40 })).toMatchObject({ status: 200 });
  expect(await takeBack("settled", { amount: 60.01 })).toMatchObject({ status: 409 });
  const [, line] = field(await given(url), "61");
  expect(line).toMatch(/D40,00NTRFNONREF\/\/\d+$/);
});

describe("Monnify's statement", () => {
  /** Payments of a day, none of which is reported, and settlements in the evening. */
  async function settling() {
    const { control, url } = await monnify.simulator();
    const pay = (amount: number, reference: string, day = yesterday) =>
      control("transfers", {
        ...{ account_number: "9900000003", amount, transaction_reference: reference, times: 0 },
        paid_at: noonOf(day),
      });
    const settle = (settlement_reference: string, order: object = {}) =>
      control("settlements", { settlement_reference, settled_at: noonOf(yesterday), times: 0, ...order });
    return { pay, settle, of: (day?: string) => given(url, day) };
  }

  test("has one line for each settlement, net of what Monnify kept, and none for a payment", async () => {
    const { pay, settle, of } = await settling();
    await pay(100, "M1", before);
    await pay(200, "M2");
    await settle("S1");
    await pay(400, "M3");
    await settle("S2");
    await pay(500, "M4");
    const [first, second] = [await of(before), await of()];
    expect(field(first, "61")).toEqual([]);
    expect(field(second, "25")).toEqual([`:25:${monnify.sourceAccountNumber}`]);
    const day = `:61:${compact(yesterday)}${compact(yesterday).slice(2)}`;
    expect(field(second, "61")).toEqual([`${day}C295,50NTRFNONREF//S1`, `${day}C394,00NTRFNONREF//S2`]);
    expect(field(second, "86")).toEqual([":86:MONNIFY SETTLEMENT S1", ":86:MONNIFY SETTLEMENT S2"]);
  });

  test("has a settlement once, however often it is reported, and a payment in one settlement", async () => {
    const { pay, settle, of } = await settling();
    await pay(100, "M1");
    for (let report = 0; report < 3; report++) await settle("S1");
    await settle("S2", { transaction_references: ["M1"] });
    // Comes in parts.
    await pay(200, "M2");
    await settle("S1", { transaction_references: ["M1", "M2"] });
    await settle("S1");
    expect(field(await of(), "61").map((line) => line.slice(14))).toEqual([
      "C98,50NTRFNONREF//S1",
      "C197,00NTRFNONREF//S1",
    ]);
  });
});
