import type { Copy } from "./copy.ts";
import { after, before } from "./edits.ts";

/** What somebody writes who adds `GET /fee` by the recipe "A new endpoint of the merchant API". */
export async function addEndpoint({ edit }: Copy): Promise<void> {
  // 1. Contract
  await edit("packages/contracts/src/merchant-api/balance.ts", (text) => `${text}${SHAPE}`);
  await edit("packages/contracts/src/requests/ledger.ts", (text) =>
    before("/** The ledger stores a transfer's reserve", REQUEST)(text.replace("{ Balance }", "{ Balance, Fee }")),
  );
  // 2. Row
  await edit("services/gateway/src/endpoints/reading.ts", (text) =>
    before('  get("/settlements", {', ROW)(after("  findEvent,\n", "  getFee,\n")(text)),
  );
  // 3. Handler
  await edit("services/ledger/src/handlers/fees.ts", () => HANDLER);
  await edit("services/ledger/src/app.ts", (text) =>
    before(
      "          ...epochs.requests,",
      "          ...feeRequests({ pool }),\n",
    )(
      after(
        'import { feeScheduleRequests } from "./handlers/fee-schedules.ts";\n',
        'import { feeRequests } from "./handlers/fees.ts";\n',
      )(text),
    ),
  );
  // 4. Test
  await edit("services/ledger/test/fees.test.ts", () => TEST);
}

const SHAPE = `
/** What is kept of each collection. */
export const Fee = z
  .object({ mode: Mode, basis_points: z.int().meta({ description: "The fee in hundredths of a percent." }) })
  .meta({ id: "Fee", description: "What is kept of each collection.", examples: [{ mode: "test", basis_points: 100 }] });
`;

const REQUEST = `export const getFee = request({
  subject: "ledger.fee.get",
  callers: ["gateway"],
  meaning: "The fee of a merchant on what comes from now on.",
  input: z.object({ merchant: MerchantScope }),
  output: Fee,
});

`;

const ROW = `  get("/fee", {
    name: "getFee",
    key: "secret",
    scope: "balance",
    budget: "reads",
    request: getFee,
    summary: "Shows the fee on what is collected from now on.",
  }),
`;

const HANDLER = `import { answer, type Request } from "@collect/bus";
import { getFee } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { DEFAULT_FEE_BASIS_POINTS } from "../domain/fee.ts";
import { createFeeSchedules } from "../store/fee-schedules.ts";

export function feeRequests({ pool }: { pool: Pool }): Request[] {
  const feesOf = createFeeSchedules();
  return [
    answer(getFee, async ({ merchant: { id, mode } }) => {
      const fees = await feesOf(pool, [id], DEFAULT_FEE_BASIS_POINTS);
      return { mode, basis_points: fees.get(id) ?? DEFAULT_FEE_BASIS_POINTS };
    }),
  ];
}
`;

const TEST = `import { getFee, setFeeSchedule } from "@collect/contracts";
import { aMerchant, randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { useLedger } from "./ledger.ts";

const ledger = await useLedger();

test("a merchant is shown its own fee, and 1 % without one", async () => {
  const merchant = { id: randomId("mer"), mode: "test" } as const;
  const fee = () => ledger.others.request(getFee, { merchant });
  await ledger.others.request(setFeeSchedule, { merchant_id: randomId("mer"), basis_points: 30 });
  expect(await ledger.others.request(getFee, { merchant: aMerchant() })).toMatchObject({ basis_points: 100 });
  await ledger.others.request(setFeeSchedule, { merchant_id: merchant.id, basis_points: 250 });
  expect(await fee()).toEqual({ mode: "test", basis_points: 250 });
});
`;
