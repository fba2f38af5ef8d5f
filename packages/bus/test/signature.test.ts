import { headers } from "nats";
import { expect, test } from "vitest";
import { createSeed, isSigned, publicKeyOf } from "../src/index.ts";
import { addSignature, sign, signatureOf } from "../src/operators/signature.ts";

const seed = createSeed();

/** An order as it arrives, with its signature. */
function anOrder() {
  const order = { subject: "ledger.fee_schedule.set", body: '{"basis_points":150}', request_id: "req_1" };
  const meta = headers();
  meta.set("Request-Id", order.request_id);
  addSignature(meta, sign({ ...order, proposal: undefined }, seed));
  const signature = signatureOf(meta);
  if (!signature) throw new Error("the order was not signed");
  return { ...order, ...signature };
}

test("an order is its operator's exactly as it was signed", () => {
  const order = anOrder();
  expect(isSigned(order)).toBe(true);
  for (const change of [
    { subject: "ledger.payout_limits.set" },
    { body: '{"basis_points":0}' },
    { request_id: "req_2" },
    { at: new Date(0).toISOString() },
    { proposal: "prop_000000000000000000000000" },
    { public_key: publicKeyOf(createSeed()) },
  ])
    expect(isSigned({ ...order, ...change }), JSON.stringify(change)).toBe(false);
});

test("a key with a wrong checksum, or of another kind, has signed nothing", () => {
  const order = anOrder();
  const last = order.public_key.endsWith("A") ? "B" : "A";
  const others = [`${order.public_key.slice(0, -1)}${last}`, "", "U".repeat(56), order.public_key.toLowerCase()];
  for (const public_key of others) expect(isSigned({ ...order, public_key }), public_key).toBe(false);
});

/** The order of the group, in which the second half of a signature counts: little-endian. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The same signature with the group's order added to its scalar: tolerant implementations take it too. */
function malleated(signature: string): string {
  const bytes = Buffer.from(signature, "base64");
  const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + GROUP_ORDER;
  const other = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex").reverse();
  return Buffer.concat([bytes.subarray(0, 32), other]).toString("base64");
}

test("a signature is accepted in one spelling only", () => {
  const order = anOrder();
  const { signature } = order;
  const spellings = [
    malleated(signature),
    signature.replace(/=+$/, ""),
    `${signature}=`,
    ` ${signature}`,
    `${signature}\n`,
    // Base64 of 64 bytes leaves four bits of the last letter unused.
    signature.replace(/.==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`),
    Buffer.from(signature, "base64").subarray(0, 63).toString("base64"),
    "",
  ];
  for (const spelling of spellings) expect(isSigned({ ...order, signature: spelling }), spelling).toBe(false);
  expect(isSigned(order)).toBe(true);
});
