import type { createTransfer, getBalance, resolveAccount } from "@collect/contracts";
import { Modal, Stack } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useState } from "react";
import { useNavigate } from "react-router";
import { type ReplyOf, useAct, useRead } from "../../api/hooks.ts";
import { ApiProblem, errorsByField } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { money } from "../../parts/money.tsx";
import { Beneficiary } from "./beneficiary.tsx";
import { OrderReview } from "./order-review.tsx";
import { OrderTerms } from "./order-terms.tsx";
import { TEST_BANK_CODE } from "./test-accounts.tsx";

export type Order = {
  bank_code: string;
  account_number: string;
  amount: number | string;
  reference: string;
  narration: string;
};
export type OrderForm = UseFormReturnType<Order>;
export type NamedAccount = ReplyOf<typeof resolveAccount>;

/** Sends money out of Settled: to whom and how much, then all of it once more, then it goes. */
export function SendMoney({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Send money"
      size="lg"
      closeOnEscape={!isBusy}
      closeOnClickOutside={false}
    >
      <Sending onDone={onClose} onBusy={setBusy} />
    </Modal>
  );
}

function Sending({ onDone, onBusy }: { onDone: () => void; onBusy: (isBusy: boolean) => void }) {
  const { home, mode } = useScope();
  const navigate = useNavigate();
  const settled = useRead<ReplyOf<typeof getBalance>>("balance").data?.settled;
  const [account, setAccount] = useState<NamedAccount>();
  const [reference] = useState(newReference);
  const [isReviewing, setReviewing] = useState(false);
  const form = useForm<Order>({
    initialValues: {
      bank_code: mode === "test" ? TEST_BANK_CODE : "",
      account_number: "",
      amount: "",
      reference,
      narration: "",
    },
    validate: {
      bank_code: (code) => (code ? null : "Choose the bank."),
      account_number: (number) => (account ? null : wordsOnAccount(number)),
      amount: (amount) => wordsOnAmount(Number(amount), settled),
      reference: (reference) => (reference.trim() ? null : "Give it a reference, so that it is sent once only."),
    },
  });
  const send = useAct<ReplyOf<typeof createTransfer>, Record<string, unknown>>("transfers", {
    changes: ["transfers", "balance"],
  });
  const submit = async () => {
    onBusy(true);
    const { narration, ...order } = form.values;
    const asked = { ...order, amount: Number(order.amount), ...(narration.trim() && { narration }) };
    try {
      const { transfer } = await send.mutateAsync(asked);
      onDone();
      navigate(`${home}/transfers/${encodeURIComponent(transfer.reference)}`);
    } catch (problem) {
      form.setErrors(errorsByField(problem));
      if (problem instanceof ApiProblem && problem.code === "validation_failed") setReviewing(false);
    } finally {
      onBusy(false);
    }
  };
  if (isReviewing && account)
    return (
      <OrderReview
        order={form.values}
        account={account}
        problem={send.error}
        isSending={send.isPending}
        onSend={() => void submit()}
        onBack={() => {
          send.reset();
          setReviewing(false);
        }}
      />
    );
  return (
    <form onSubmit={form.onSubmit(() => setReviewing(true))}>
      <Stack>
        <Beneficiary form={form} account={account} onAccount={setAccount} />
        <OrderTerms form={form} settled={settled} />
      </Stack>
    </form>
  );
}

/** Unique, and still to be read by a person. */
function newReference(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  return `transfer-${day}-${crypto.randomUUID().slice(0, 8)}`;
}

function wordsOnAccount(number: string): string {
  return /^\d{10}$/.test(number) ? "The bank has not named this account yet." : "An account number has 10 digits.";
}

function wordsOnAmount(amount: number, settled: number | undefined): string | null {
  if (!(amount > 0)) return "Say how much to send.";
  if (settled !== undefined && amount > settled) return `Settled holds ${money(settled)}.`;
  return null;
}
