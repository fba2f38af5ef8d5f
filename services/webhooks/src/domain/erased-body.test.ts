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
const nameless = { ...collection.payer, name: ERASED };

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

test("erasing a body again changes nothing", () => {
  const once = erasedBody(bodyOf({}), "customer");
  expect(erasedBody(once, "customer")).toEqual(once);
  expect(erasedBody(once, "payer")).toEqual(once);
});
