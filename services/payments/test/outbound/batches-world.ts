import { nuban, TEST_BANK } from "@collect/bank";
import {
  type Actor,
  approveTransferBatch,
  browseBatchLines,
  confirmTransferBatch,
  discardTransferBatch,
  type MerchantScope,
  reopenTransferBatch,
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

/** The same at a bank with check digits, which a live file needs. */
export const liveFile = (lines: number, { from = 20_000, amount = "1000" } = {}) =>
  [
    "amount,bank_code,account_number",
    ...Array.from({ length: lines }, (_, place) => `${amount},011,${liveAccount(from + place)}`),
  ].join("\n");
export const liveAccount = (place: number) => nuban({ bankCode: "011", serial: `0000${place}` });

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
    /** As it is shown now, unless an earlier look at it is given. */
    approve: async (
      reference: string,
      actor: Actor,
      given: { approving_since?: string; confirmed_at?: string } = {},
    ) => {
      const confirmed_at = given.confirmed_at ?? (await show(reference)).confirmed_at ?? "2026-01-01T00:00:00Z";
      const approving_since = given.approving_since ?? "2026-01-01T00:00:00Z";
      return request(approveTransferBatch, { merchant, reference, confirmed_at, approving_since }, { actor });
    },
    reopen: (reference: string, actor = ADA) => request(reopenTransferBatch, { merchant, reference }, { actor }),
    discard: (reference: string) => request(discardTransferBatch, { merchant, reference }, { actor: ADA }),
  };
}
