import type { Kobo } from "@collect/money";
import { addDays, inLagos } from "../calendar.ts";
import { fault } from "../fault.ts";
import {
  type Day,
  identified,
  LINES_MAX,
  type Line,
  numbered,
  type Part,
  periodOf,
  type Statement,
} from "../statement.ts";
import { parseAmount, parseDay } from "../values.ts";
import { type Element, readXml } from "./xml.ts";

/** The namespaces of the versions that banks send. */
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(02|08|13)$/;

/** The texts of an element's descendants by their path below it, with the line of the file. */
type Fields = Map<string, { text: string; at: number; currency?: string }>;

type Draft = { fields: Fields; at: number; balances: Fields[]; entries: Entry[] };
type Entry = { fields: Fields; at: number; details: Fields[] };

/** Most entries have one detail. */
const MOVEMENTS_MAX = 2 * LINES_MAX;
/** Different fields of one entry, detail or balance; there are some twenty. */
const FIELDS_MAX = 200;

const MESSAGE = "Document/BkToCstmrStmt/GrpHdr";
const STATEMENT = "Document/BkToCstmrStmt/Stmt";
const BALANCE = `${STATEMENT}/Bal`;
const ENTRY = `${STATEMENT}/Ntry`;
const DETAIL = `${ENTRY}/NtryDtls/TxDtls`;

/** Every statement of a camt.053 file. */
export function parseCamt053(text: string): Statement[] {
  const statements: Statement[] = [];
  const message: Fields = new Map();
  const reading: { statement?: Draft; balance?: Fields; entry?: Entry; detail?: Fields } = {};
  let movements = 0;
  // Counted as they come: empty ones are small in the file, and not in memory.
  const count = (at: number) => {
    if (++movements > MOVEMENTS_MAX) throw fault("too_many_lines", `It has more than ${LINES_MAX} lines.`, at);
  };
  readXml(text, {
    open(path, { attributes, at }) {
      if (!path.includes("/")) assertNamespace(path, attributes, at);
      if (path === STATEMENT) reading.statement = { fields: new Map(), at, balances: [], entries: [] };
      if (path === BALANCE) reading.balance = new Map();
      if (path === ENTRY || path === DETAIL) count(at);
      if (path === ENTRY) reading.entry = { fields: new Map(), at, details: [] };
      if (path === DETAIL) reading.detail = new Map();
    },
    close(path, element) {
      const { statement, balance, entry, detail } = reading;
      if (path.startsWith(`${MESSAGE}/`)) put(message, path.slice(MESSAGE.length + 1), element);
      if (!statement) return;
      if (path === STATEMENT) {
        statements.push(statementOf(statement, message));
        delete reading.statement;
      } else if (path === BALANCE && balance) {
        statement.balances.push(balance);
        delete reading.balance;
      } else if (path === ENTRY && entry) {
        statement.entries.push(entry);
        delete reading.entry;
      } else if (path === DETAIL && detail) {
        entry?.details.push(detail);
        delete reading.detail;
      } else if (detail) put(detail, path.slice(DETAIL.length + 1), element);
      else if (entry) put(entry.fields, path.slice(ENTRY.length + 1), element);
      else if (balance) put(balance, path.slice(BALANCE.length + 1), element);
      else put(statement.fields, path.slice(STATEMENT.length + 1), element);
    },
  });
  if (statements.length === 0) throw fault("missing", "It has no statement.");
  if (statements.length > 1 && !isWhole(pageOf(message, "MsgPgntn")))
    throw fault("missing", "It is a page of several and has several statements: which of them goes on is not clear.");
  return statements;
}

type Page = { page: number; isLast: boolean };

/** Of a statement, or of a message, as version 02 has it. What has no pages is one. */
function pageOf(fields: Fields, paging: "StmtPgntn" | "MsgPgntn"): Page {
  const page = Number(text(fields, `${paging}/PgNb`) ?? 1) || 1;
  return { page, isLast: (text(fields, `${paging}/LastPgInd`) ?? "true").toLowerCase() !== "false" };
}

const isWhole = ({ page, isLast }: Page) => page === 1 && isLast;

function assertNamespace(root: string, attributes: Record<string, string>, at: number): void {
  const isKnown = Object.entries(attributes).some(([name, uri]) => name.startsWith("xmlns") && NAMESPACE.test(uri));
  if (root !== "Document" || !isKnown)
    throw fault("unknown_format", "It is not a camt.053 of version 02, 08 or 13.", at);
}

/** A repeated element, as several lines of a narration, continues the first. */
function put(fields: Fields, name: string, { text, attributes, at }: Element): void {
  const before = fields.get(name);
  if (before) before.text += ` ${text.trim()}`;
  else if (fields.size < FIELDS_MAX)
    fields.set(name, { text: text.trim(), at, ...(attributes.Ccy !== undefined && { currency: attributes.Ccy }) });
}

/**
 * The balances between two pages are interim ones (`ITBD`), or opening and closing ones that are called intermediate (`INTM`): the first
 * of a page is that of the page before.
 */
function balancesOf(balances: Fields[]) {
  const of = (code: string) => balances.filter((balance) => balance.get("Tp/CdOrPrtry/Cd")?.text === code);
  const interim = of("ITBD");
  const opening = of("OPBD")[0] ?? of("PRCD")[0] ?? interim[0];
  const closing = of("CLBD")[0] ?? interim.findLast((balance) => balance !== opening);
  const isInterim = (balance: Fields) => interim.includes(balance) || text(balance, "Tp/SubTp/Cd") === "INTM";
  return { opening, closing, isInterim };
}

function statementOf({ fields, at, balances, entries }: Draft, message: Fields): Statement {
  const { opening, closing, isInterim } = balancesOf(balances);
  if (!opening || !closing) throw fault("missing", "It has no booked opening and closing balance.", at);
  const ofMessage = pageOf(message, "MsgPgntn");
  const { page, isLast } = isWhole(ofMessage) ? pageOf(fields, "StmtPgntn") : ofMessage;
  const cut = { isContinued: isInterim(opening) || page > 1, isInterim: isInterim(closing) || !isLast };
  const from = text(fields, "FrToDt/FrDtTm", "FrToDt/FrDt");
  const to = text(fields, "FrToDt/ToDtTm", "FrToDt/ToDt");
  const booked = entries.filter(isBooked);
  const lines = booked.map(lineOf);
  const given = { ...(from && { from: day(from, at) }), ...(to && { to: lastDay(to, at) }) };
  const period = periodOf({ ...cut, lines }, dayOfBalance(closing, at), given);
  return {
    account: text(fields, "Acct/Id/IBAN", "Acct/Id/Othr/Id") ?? null,
    number: numbered(text(fields, "ElctrncSeqNb", "LglSeqNb", "Id"), { ...cut, page, at }),
    currency: opening.get("Amt")?.currency ?? "",
    ...period,
    opening: signed(opening, at),
    closing: signed(closing, at),
    ...cut,
    lines: lines.map((line, n) => inPeriod(line, bookingOf(booked[n]), period)),
  };
}

const bookingOf = (entry: Entry | undefined) => entry && text(entry.fields, "BookgDt/Dt", "BookgDt/DtTm");

/** A bank whose days are those of another clock has what is late on one of them on the day that it writes. */
function inPeriod(line: Line, booked: string | undefined, { from, to }: { from: Day; to: Day }): Line {
  const isWithin = (on: Day) => on >= from && on <= to;
  const written = booked && day(booked.slice(0, "2026-10-01".length), line.at);
  return written && !isWithin(line.bookedOn) && isWithin(written) ? { ...line, bookedOn: written } : line;
}

const text = (fields: Fields, ...names: string[]): string | undefined =>
  names.map((name) => fields.get(name)?.text).find((found) => found !== undefined && found !== "");

/** Entries that are pending, or only announced, are in no balance. */
const isBooked = ({ fields }: Entry) => (text(fields, "Sts/Cd", "Sts") ?? "BOOK") === "BOOK";

function day(value: string, at: number): Day {
  const found = parseDay(value, "yyyy-MM-dd");
  if (!found) throw fault("invalid_date", `“${value.slice(0, 40)}” is not a date.`, at);
  return found;
}

/** Some banks write that a period ends when the next day begins. */
const lastDay = (end: string, at: number): Day =>
  addDays(day(end, at), /T00:00:00(?:\.0+)?(?:Z|[+-]|$)/.test(inLagos(end)) ? -1 : 0);

const dayOfBalance = (balance: Fields, at: number): Day => day(text(balance, "Dt/Dt", "Dt/DtTm") ?? "", at);

/** The amount of a balance, an entry or a detail, by its indicator; a detail without one has that of its entry. */
function signed(fields: Fields, at: number, indicator = text(fields, "CdtDbtInd")): Kobo {
  const amount = parseAmount(text(fields, "Amt", "AmtDtls/TxAmt/Amt") ?? "");
  if (amount === undefined || amount < 0n) throw fault("invalid_amount", "It has no amount.", at);
  if (indicator !== "CRDT" && indicator !== "DBIT") throw fault("missing", "It is neither a credit nor a debit.", at);
  return indicator === "CRDT" ? amount : -amount;
}

function lineOf(entry: Entry): Line {
  const { fields, at, details } = entry;
  const currency = fields.get("Amt")?.currency;
  if (currency !== "NGN") throw fault("wrong_currency", `It is in ${currency ?? "no currency"}.`, at);
  const booked = bookingOf(entry);
  if (booked === undefined) throw fault("missing", "It has no booking date.", at);
  const own = identified({
    references: [text(fields, "AcctSvcrRef"), text(fields, "NtryRef")].flatMap((reference) => reference ?? []),
    narration: text(fields, "AddtlNtryInf") ?? "",
  });
  const line = {
    at,
    bookedOn: day(booked, at),
    valueOn: day(text(fields, "ValDt/Dt", "ValDt/DtTm") ?? booked, at),
    amount: signed(fields, at),
    balance: null,
  };
  const [single, ...more] = details;
  if (single && more.length > 0) return { ...line, ...own, parts: details.map((detail) => partOf(detail, fields, at)) };
  if (!single) return { ...line, ...own, parts: [] };
  const detail = idsOf(single);
  const narration = [detail.narration, own.narration].filter(Boolean).join(" ");
  return { ...line, ...identified({ references: [...own.references, ...detail.references], narration }), parts: [] };
}

function partOf(detail: Fields, entry: Fields, at: number): Part {
  const indicator = text(detail, "CdtDbtInd") ?? text(entry, "CdtDbtInd");
  return { amount: signed(detail, at, indicator), ...idsOf(detail) };
}

function idsOf(detail: Fields) {
  const references = ["Refs/AcctSvcrRef", "Refs/TxId", "Refs/EndToEndId", "Refs/InstrId"]
    .map((name) => text(detail, name))
    .flatMap((reference) => reference ?? []);
  const narration = [text(detail, "RmtInf/Ustrd"), text(detail, "AddtlTxInf")].filter(Boolean).join(" ");
  return identified({ references, narration });
}
