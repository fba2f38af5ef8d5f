import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { eventId } from "./event-id.ts";
import { constantHeaders, deliveryHeaders } from "./signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = Buffer.from('{"data":{"customer_name":"Adébáyọ̀"}}');
const attempted = {
  merchantId: "mer_1",
  mode: "live" as const,
  kind: "collection.success",
  sequence: 7n,
  number: 9_007_199_254_740_993n,
  attempt: 3,
  body,
  secret,
  stagedSecret: null,
  at: new Date("2026-11-21T09:30:00.999Z"),
};

test("the signature is lower-case hex of HMAC-SHA512 over the raw bytes, keyed with the secret as displayed", () => {
  const expected = createHmac("sha512", Buffer.from(secret, "utf8")).update(body).digest("hex");
  expect(deliveryHeaders(attempted)["x-service-signature"]).toBe(expected);
  expect(expected).toMatch(/^[0-9a-f]{128}$/);
});

test("the signature matches a test vector of RFC 4231", () => {
  const vector = { ...attempted, secret: "Jefe", body: Buffer.from("what do ya want for nothing?") };
  expect(deliveryHeaders(vector)["x-service-signature"]).toBe(
    "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
  );
});

test("the Standard Webhooks signature verifies with their libraries' algorithm", () => {
  const headers = deliveryHeaders(attempted);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString()}`;
  expect(headers["webhook-timestamp"]).toBe("1795253400");
  expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
});

test("numbers are written in full, however large", () => {
  expect(deliveryHeaders(attempted)).toMatchObject({
    "x-service-event": "collection.success",
    "x-service-delivery": "9007199254740993",
    "x-service-sequence": "7",
    "x-service-attempt": "3",
    "webhook-id": eventId({ id: "mer_1", mode: "live" }, 7n),
  });
});

test("attempts of one event carry one id and one signature of the body", () => {
  const first = deliveryHeaders({ ...attempted, attempt: 1 });
  const later = deliveryHeaders({ ...attempted, attempt: 2, at: new Date("2026-11-22T09:30:00Z") });
  expect(later["webhook-id"]).toBe(first["webhook-id"]);
  expect(later["x-service-signature"]).toBe(first["x-service-signature"]);
  expect(later["webhook-signature"]).not.toBe(first["webhook-signature"]);
});

test("a staged secret signs webhook-signature in addition to the current one, and never X-Service-Signature", () => {
  const stagedSecret = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
  const before = deliveryHeaders(attempted);
  const headers = deliveryHeaders({ ...attempted, stagedSecret });
  const after = deliveryHeaders({ ...attempted, secret: stagedSecret });
  expect(headers["x-service-signature"]).toBe(before["x-service-signature"]);
  expect(headers["webhook-signature"]).toBe(`${before["webhook-signature"]} ${after["webhook-signature"]}`);
});

test("the constant headers are on every attempt and carry no signature", () => {
  const { merchantId, mode, kind, sequence, number } = attempted;
  const constant = constantHeaders({ merchantId, mode, kind, sequence, number });
  expect(deliveryHeaders(attempted)).toMatchObject(constant);
  expect(Object.keys(constant).filter((name) => /signature|timestamp|attempt/.test(name))).toEqual([]);
});
