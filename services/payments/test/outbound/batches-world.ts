import { TEST_BANK } from "@collect/bank";
import {
  type Actor,
  approveTransferBatch,
  browseBatchLines,
  confirmTransferBatch,
  discardTransferBatch,
  type MerchantScope,
  resumeTransferBatch,
  showTransferBatch,
  uploadTransferBatch,
  type WireResult,
} from "@collect/contracts";
import { until, type World } from "@collect/testing";
import { testAccount } from "./transfers-world.ts";

export const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
export const BOLA: Actor = { kind: "member", user_id: "usr_bola", email: "bola@example.com" };

type Batch = WireResult<typeof showTransferBatch>;

/** A file of so many lines of 1,000 naira, each to another account of the test bank that succeeds. */
export const aFile = (lines: number, { from = 100, amount = "1000.00" } = {}) =>
  [
    "amount,bank_code,account_number,narration",
    ...Array.from(
      { length: lines },
      (_, place) => `${amount},${TEST_BANK.code},${testAccount(1, from + place)},November`,
    ),
  ].join("\n");

/** The calls of the dashboard about a merchant's files. */
export function batchesOf(world: World, merchant: MerchantScope) {
  const { request } = world.others;
  const upload = (content: string, actor = ADA, name = "salaries.csv") =>
    request(uploadTransferBatch, { merchant, name, content }, { actor });
  const show = (reference: string) => request(showTransferBatch, { merchant, reference });
  const lines = async (reference: string, only?: "faulty" | "refused") =>
    (await request(browseBatchLines, { merchant, reference, limit: 500, ...(only && { only }) })).data;
  const untilState = (reference: string, state: Batch["state"]) =>
    until(`${reference} is ${state}`, async () => {
      const batch = await show(reference);
      return batch.state === state && batch;
    });
  return {
    upload,
    show,
    lines,
    untilState,
    /** Uploaded and checked. */
    checked: async (content: string, actor = ADA) => {
      const { batch } = await upload(content, actor);
      return untilState(batch.reference, "checked");
    },
    confirm: ({ reference, lines, total }: Pick<Batch, "reference" | "lines" | "total">, actor = ADA) =>
      request(confirmTransferBatch, { merchant, reference, lines, total }, { actor }),
    approve: (reference: string, actor: Actor, approving_since = "2026-01-01T00:00:00Z") =>
      request(approveTransferBatch, { merchant, reference, approving_since }, { actor }),
    resume: (reference: string) => request(resumeTransferBatch, { merchant, reference }, { actor: ADA }),
    discard: (reference: string) => request(discardTransferBatch, { merchant, reference }, { actor: ADA }),
  };
}
