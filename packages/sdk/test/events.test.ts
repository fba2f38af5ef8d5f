import type * as contracts from "@collect/contracts";
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Balance, CustomerAccount, Payment, SimulationResult, Transfer, WebhookEvent } from "../src/index.ts";

test("the SDK's event types and records are those of the contracts", () => {
  expectTypeOf<WebhookEvent>().toEqualTypeOf<z.input<typeof contracts.WebhookEvent>>();
  expectTypeOf<Balance>().toEqualTypeOf<z.input<typeof contracts.Balance>>();
  expectTypeOf<CustomerAccount>().toEqualTypeOf<z.input<typeof contracts.CustomerAccount>>();
  expectTypeOf<Payment>().toEqualTypeOf<z.input<typeof contracts.Payment>>();
  expectTypeOf<Transfer>().toEqualTypeOf<z.input<typeof contracts.Transfer>>();
  expectTypeOf<SimulationResult>().toEqualTypeOf<z.input<typeof contracts.SimulationResult>>();
});
