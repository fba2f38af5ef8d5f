import type { Mode } from "@collect/contracts";
import type { Permission } from "@collect/dashboard";
import type { ReadResponse } from "../api/calls.ts";
import { money } from "../components/money.tsx";
import { statusWord } from "../components/status.tsx";
import { exactTime } from "../components/when.tsx";
import { PAGES } from "./navigation.tsx";

/** A place to go to. `to` is below the merchant and mode, unless it begins with a slash. */
export type Option = { to: string; amount?: string | undefined; label: string; details?: string[] };
export type OptionGroup = { name: string; options: Option[] };

export type Found = ReadResponse<"search">;
type Row<Kind extends keyof Found> = NonNullable<Found[Kind]>[number];

const place = (list: string, reference: string) => `${list}/${encodeURIComponent(reference)}`;
const amountOf = (naira: number | null) => (naira === null ? undefined : money(naira));

const KINDS: { [Kind in keyof Found]: { name: string; option: (row: Row<Kind>) => Option } } = {
  collections: {
    name: "Collections",
    option: ({ reference, amount, payer_name, customer_name, paid_at }) => ({
      to: place("collections", reference),
      amount: money(amount),
      label: customer_name ?? payer_name,
      details: [...(payer_name === (customer_name ?? payer_name) ? [] : [payer_name]), exactTime(paid_at), reference],
    }),
  },
  customers: {
    name: "Customers",
    option: ({ customer_reference, customer_name, account_number }) => ({
      to: place("customers", customer_reference),
      label: customer_name,
      details: [customer_reference, account_number],
    }),
  },
  payers: {
    name: "Payers",
    option: ({ id, name, bank_name, account_number }) => ({
      to: place("payers", id),
      label: name,
      details: [bank_name, account_number].filter((detail) => detail !== null),
    }),
  },
  sessions: {
    name: "Sessions",
    option: ({ reference, amount, name, status, merchant_reference }) => ({
      to: place("sessions", reference),
      amount: money(amount),
      label: name ?? merchant_reference ?? reference,
      details: [statusWord(status), merchant_reference ?? reference],
    }),
  },
  transfers: {
    name: "Transfers",
    option: ({ reference, amount, account_name, status, merchant_reference }) => ({
      to: place("transfers", reference),
      amount: money(amount),
      label: account_name,
      details: [statusWord(status), merchant_reference],
    }),
  },
  links: {
    name: "Links",
    option: ({ slug, title, amount }) => ({ to: place("links", slug), amount: amountOf(amount), label: title }),
  },
};

const KIND_NAMES = Object.keys(KINDS) as (keyof Found)[];

const optionsOf = <Kind extends keyof Found>(kind: Kind, rows: Found[Kind]): Option[] =>
  (rows ?? []).map((row) => KINDS[kind].option(row));

/** What the services found, by kind. */
export const recordGroups = (found: Found): OptionGroup[] =>
  KIND_NAMES.map((kind) => ({ name: KINDS[kind].name, options: optionsOf(kind, found[kind]) }));

/** The kinds whose service did not answer, as a sentence names them: "collections and links". */
export function unansweredOf(found: Found): string | undefined {
  const names = KIND_NAMES.filter((kind) => found[kind] === null).map((kind) => KINDS[kind].name.toLowerCase());
  return names.length === 0 ? undefined : new Intl.ListFormat("en-GB").format(names);
}

/** The sections of Developers and Settings; the other pages are those of the sidebar. */
const SECTIONS: { label: string; path: string }[] = [
  { label: "API keys", path: "developers/keys" },
  { label: "Webhook", path: "developers/webhook" },
  { label: "Deliveries", path: "developers/deliveries" },
  { label: "Events", path: "developers/events" },
  { label: "API requests", path: "developers/requests" },
  { label: "Verifier", path: "developers/verifier" },
  { label: "Sandbox", path: "developers/sandbox" },
  { label: "Business", path: "settings/business" },
  { label: "Verification", path: "settings/verification" },
  { label: "Team", path: "settings/team" },
  { label: "Fees and limits", path: "settings/fees" },
  { label: "Transfer limits", path: "settings/payouts" },
  { label: "Security", path: "settings/security" },
  { label: "Emails", path: "settings/mail" },
  { label: "Audit log", path: "settings/audit" },
];

const ACTS: { label: string; path: string; permission: Permission }[] = [
  { label: "Create a link", path: "links#create", permission: "collect" },
  { label: "Create a session", path: "sessions#create", permission: "collect" },
  { label: "Issue a customer account", path: "customers#issue", permission: "collect" },
  { label: "Send money", path: "transfers#send", permission: "money" },
  { label: "Bulk transfers from a file", path: "transfers/bulk", permission: "money" },
];

/** Every word that was typed begins a word of the label. */
function isNamed(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(" ");
  return typed
    .toLowerCase()
    .split(" ")
    .every((part) => words.some((word) => word.startsWith(part)));
}

type Context = { may: (permission: Permission) => boolean; mode: Mode; otherMode: string };

/** The pages and actions that a text names; all of them without one. */
export function pageGroups(typed: string, { may, mode, otherMode }: Context): OptionGroup[] {
  const pages = [...PAGES, ...SECTIONS].map(({ label, path }) => ({ label, to: path }));
  const acts = ACTS.filter(({ permission }) => may(permission)).map(({ label, path }) => ({ label, to: path }));
  const modes = { label: mode === "test" ? "Switch to live" : "Switch to test", to: otherMode };
  return [
    { name: "Pages", options: pages.filter(({ label }) => isNamed(label, typed)) },
    { name: "Actions", options: [...acts, modes].filter(({ label }) => isNamed(label, typed)) },
  ];
}

const NUMBER = /^[0-9]{1,15}$/;
const REQUEST_ID = /^(req_.+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{4,})$/i;

/** What the search does not look into: settlements, events, deliveries and API requests. */
export function lookUpGroup(typed: string): OptionGroup {
  const exact = encodeURIComponent(typed);
  const requests = { label: `API requests with “${typed}”`, to: `developers/requests?search=${exact}` };
  return { name: "Look up", options: lookUps() };

  function lookUps(): Option[] {
    if (/^stl_./.test(typed)) return [{ label: `Settlement ${typed}`, to: `settlements/${exact}` }];
    if (REQUEST_ID.test(typed)) return [requests];
    const numbered = NUMBER.test(typed)
      ? [
          { label: `Delivery ${typed}`, to: `developers/deliveries/${typed}` },
          { label: `Event ${typed}`, to: `developers/events/${typed}` },
        ]
      : [];
    if (typed.length < 3) return numbered;
    return [
      ...numbered,
      { label: `Events with “${typed}”`, to: `developers/events?search=${exact}` },
      { label: `Deliveries with “${typed}”`, to: `developers/deliveries?search=${exact}` },
      requests,
    ];
  }
}
