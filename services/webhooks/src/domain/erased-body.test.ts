import { ERASED } from "@collect/contracts";
import { aTransfer } from "@collect/testing";
import { expect, test } from "vitest";
import { erasedBody } from "./erased-body.ts";
import { collectionSuccess } from "./event.ts";

const { fundedBy: _, ...intake } = aTransfer();
const collection = {
  ...intake,
  ...{ fee: 10_001n, net: 990_073n, reference: "col_1", paymentReference: null, merchantReference: null },
  postedAt: "2026-11-21T09:30:02.000+00:00",
};
const now = new Date("2026-11-21T09:30:03.000Z");
const bodyOf = (given: object) => collectionSuccess({ ...collection, ...given }, now).body;
const nameless = { name: ERASED, accountNumber: null, bankName: null };

test("an erased body has the bytes of an event that is serialized from the erased facts", () => {
  const customer = { reference: "cust_1", name: "Ada Obi" };
  const [event, detailed, bare] = [{ customer }, { customer: null, payerDetailsName: "Ada Obi" }, { customer: null }];
  expect(erasedBody(bodyOf(event), "customer")).toEqual(
    bodyOf({ customer: { ...customer, name: ERASED }, payer: nameless }),
  );
  expect(erasedBody(bodyOf(event), "payer")).toEqual(bodyOf({ customer, payer: nameless }));
  expect(erasedBody(bodyOf(detailed), "payer")).toEqual(
    bodyOf({ ...detailed, payerDetailsName: ERASED, payer: nameless }),
  );
  expect(erasedBody(bodyOf(bare), "payer")).toEqual(bodyOf({ ...bare, payer: nameless }));
});

test("with metadata, that of the customer goes with the name, and the sender's account and bank always", () => {
  const customer = { reference: "cust_1", name: "Ada Obi" };
  // Keys of the merchant's that are named as fields of ours are, and a key that JavaScript sorts to the front.
  const metadata = { payer_name: "Ada", 17: "Obi", payer: "x", metadata: "y" };
  const erased = { payer: nameless, metadata: {} };
  expect(erasedBody(bodyOf({ customer, metadata }), "customer")).toEqual(
    bodyOf({ customer: { ...customer, name: ERASED }, ...erased }),
  );
  expect(erasedBody(bodyOf({ customer, metadata }), "payer")).toEqual(bodyOf({ customer, ...erased, metadata }));
  expect(erasedBody(bodyOf({ customer: null, metadata }), "payer")).toEqual(bodyOf({ customer: null, ...erased }));
  expect(erasedBody(bodyOf({ customer, metadata: {} }), "payer")).toEqual(bodyOf({ customer, ...erased }));
});

test.each([undefined, { order: "17" }])("erasing a body again changes nothing, with metadata %j", (metadata) => {
  const once = erasedBody(bodyOf({ metadata }), "customer");
  expect(erasedBody(once, "customer")).toEqual(once);
  expect(erasedBody(once, "payer")).toEqual(once);
});
