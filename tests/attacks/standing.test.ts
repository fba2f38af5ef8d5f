import { randomUUID } from "node:crypto";
import {
  createPaymentLink,
  createTransfer,
  decideVerification,
  findImitations,
  getVerification,
  issueCollectionAccount,
  issueCustomerAccount,
  openPayment,
  openPublicPayment,
  Problem,
  readStandings,
  resolveAccount,
  sendTestEvent,
  setWebhookEndpoint,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { beneficiary } from "../faults/shop.ts";
import { type Person, signUp } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const { bus } = stack;
const ACCOUNT = { bank_code: "058", account_number: beneficiary(1) };

/** A stranger with a new business. */
async function aStranger(name = "Honest Stores") {
  const person = await signUp(stack);
  const { status, body } = await person.call("POST", "/api/merchants", { name });
  return { person, status, id: String(body.merchant_id), name };
}
type Stranger = { person: Person; id: string; name: string };

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => "made",
    (error) => (error instanceof Problem ? error.code : String(error)),
  );

/** Everything that makes something live, as the dashboard's pages call it. */
const pages = ({ person, id }: Stranger): [string, () => Promise<string>][] => {
  const act = (path: string, body: object = {}) =>
    person
      .call("POST", `/api/m/${id}/live/${path}`, body)
      .then(({ status, body: { code } }) => (status < 300 ? "made" : String(code)));
  const n = randomUUID();
  return [
    ["an account", () => act("customers", { customer_reference: n, customer_name: "Ada Obi" })],
    ["a session", () => act("sessions", { amount: 1_000 })],
    ["a customer's session", () => act("sessions", { amount: 1_000, customer_reference: n, customer_name: "Ada Obi" })],
    ["a link", () => act("links", { key: randomUUID(), title: "Shoes" })],
    ["a name", () => act("transfers/resolve", ACCOUNT)],
    ["a payout", () => act("transfers", { ...ACCOUNT, amount: 100, reference: n })],
    ["keys", () => act("keys/make")],
  ];
};

/** The same as requests, as a gateway or a dashboard that forgot to ask would send them. */
const services = ({ id, name }: Stranger): [string, () => Promise<string>][] => {
  const merchant = { id, name, mode: "live" as const };
  const n = randomUUID();
  const customer = { customer_reference: n, customer_name: "Ada Obi" };
  const order = { ...ACCOUNT, amount: 100, reference: n };
  return [
    ["accounts' customer account", () => outcomeOf(bus.request(issueCustomerAccount, { merchant, ...customer }))],
    ["accounts' collection account", () => outcomeOf(bus.request(issueCollectionAccount, { merchant, position: 9 }))],
    ["payments' session", () => outcomeOf(bus.request(openPayment, { merchant, amount: 1_000 }))],
    ["a public key's session", () => outcomeOf(bus.request(openPublicPayment, { merchant, amount: 1_000 }))],
    [
      "payments' link",
      () => outcomeOf(bus.request(createPaymentLink, { merchant, key: randomUUID(), title: "Shoes" })),
    ],
    ["the bank's name enquiry", () => outcomeOf(bus.request(resolveAccount, { merchant, ...ACCOUNT }))],
    ["payments' payout", () => outcomeOf(bus.request(createTransfer, { merchant, ...order }))],
    ["webhooks' test event", () => outcomeOf(bus.request(sendTestEvent, { merchant }))],
  ];
};

const outcomes = async (doors: [string, () => Promise<string>][]) =>
  Object.fromEntries(await Promise.all(doors.map(async ([what, open]) => [what, await open()] as const)));
const allOf = (doors: [string, unknown][], outcome: string) =>
  Object.fromEntries(doors.map(([what]) => [what, outcome]));

const DETAILS = {
  rc_number: "RC 123456",
  address: "12 Marina, Lagos",
  contact_name: "Ngozi Eze",
  contact_email: "ngozi@example.com",
  contact_phone: "+234 803 123 4567",
  settlement_bank_code: ACCOUNT.bank_code,
  settlement_account_number: ACCOUNT.account_number,
};

async function submit({ person, id, name }: Stranger) {
  const details = { ...DETAILS, registered_name: `${name} Registered` };
  const { status } = await person.call("POST", `/api/m/${id}/live/verification/submit`, { details });
  expect(status).toBe(200);
}

async function approve({ id }: Stranger, despite_name = false) {
  const { submitted_at } = await bus.request(getVerification, { merchant_id: id });
  return outcomeOf(
    bus.request(decideVerification, { merchant_id: id, submitted_at, decision: "approved", despite_name }),
  );
}

test("whoever signs up gets nothing live by any door before the verification, and everything after it", async () => {
  const stranger = await aStranger();
  // A URL may be set before; nothing is sent to it.
  const webhook = {
    merchant: { id: stranger.id, mode: "live" as const },
    url: `${stack.receiver.url}/${stranger.id}/live`,
  };
  await bus.request(setWebhookEndpoint, webhook);
  const [byPages, byServices] = [pages(stranger), services(stranger)];
  const refuseAll = async () => {
    expect(await outcomes(byPages)).toEqual(allOf(byPages, "verification_required"));
    expect(await outcomes(byServices)).toEqual(allOf(byServices, "verification_required"));
  };
  await refuseAll();
  await submit(stranger);
  await refuseAll();
  for (const [service, table] of [
    ["accounts", "customer_accounts"],
    ["accounts", "collection_accounts"],
    ["payments", "sessions"],
    ["payments", "payment_links"],
    ["payments", "transfers"],
  ] as const) {
    const { rowCount } = await stack
      .database(service)
      .query(`select from ${table} where merchant_id = $1 and mode = 'live'`, [stranger.id]);
    expect([table, rowCount]).toEqual([table, 0]);
  }
  expect(stack.receiver.received.filter(({ path }) => path.includes(stranger.id))).toEqual([]);

  expect(await approve(stranger)).toBe("made");
  const payout = { "a payout": "insufficient_balance" };
  expect(await outcomes(byPages)).toEqual({ ...allOf(byPages, "made"), ...payout });
  expect(await outcomes(byServices)).toEqual({
    ...allOf(byServices, "made"),
    "payments' payout": "insufficient_balance",
  });
});

test("without the gateway nothing live is made, and nothing is left half made", async () => {
  const merchant = await stack.createMerchant();
  const doors = services({ person: await signUp(stack), id: merchant.id, name: merchant.name });
  const gateway = stack.service("gateway");
  await gateway.kill9();
  expect(await outcomes(doors)).toEqual(allOf(doors, "service_unavailable"));
  const { rowCount } = await stack
    .database("accounts")
    .query("select from customer_accounts where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
  await gateway.restart();
  expect(await outcomes(doors)).toEqual({ ...allOf(doors, "made"), "payments' payout": "insufficient_balance" });
});

test("a business called like a bank works in test mode, and is not verified unless the operator says so", async () => {
  const imitator = await aStranger("H\u0430rb\u03bfur B\u0430nk Collections");
  expect(imitator.status).toBe(200);
  const tested = await imitator.person.call("POST", `/api/m/${imitator.id}/test/sessions`, { amount: 1_000 });
  expect(tested.status).toBe(200);
  await submit(imitator);
  const { imitations } = await bus.request(findImitations, { merchant_ids: [imitator.id] });
  expect(imitations).toEqual([{ merchant_id: imitator.id, names: ["Harbour Bank"] }]);
  expect(await approve(imitator)).toBe("conflict");
  const { standings } = await bus.request(readStandings, { merchant_ids: [imitator.id] });
  expect(standings).toMatchObject([{ standing: "submitted", verified: false }]);
  const doors = pages(imitator);
  expect(await outcomes(doors)).toEqual(allOf(doors, "verification_required"));
  // Its page does not tell whom it is taken for, which may be another merchant.
  const shown = await imitator.person.call("GET", `/api/m/${imitator.id}/live/verification`);
  expect(JSON.stringify(shown.body)).not.toContain("Harbour Bank");
  expect(await approve(imitator, true)).toBe("made");
});

test.each([
  ["Harbour\u200BBank", "a zero-width space"],
  ["Stores \u202EknaB ruobraH", "a right-to-left override"],
])("a business's name with %j (%s) is refused", async (name) => {
  expect((await aStranger(name)).status).toBe(400);
});
