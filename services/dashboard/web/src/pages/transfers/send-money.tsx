import { Modal, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useAct, useRead } from "../../api/hooks.ts";
import { ApiProblem, fieldErrors } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { type NamedAccount, useNamedAccount } from "../../components/bank-account.tsx";
import { money } from "../../components/money.tsx";
import { newReference } from "../../components/own-reference.ts";
import { Beneficiary } from "./beneficiary.tsx";
import type { Order } from "./order.ts";
import { OrderReview } from "./order-review.tsx";
import { OrderTerms } from "./order-terms.tsx";
import { TEST_BANK_CODE } from "./test-accounts.tsx";
import { isOpenAfter, useUnanswered } from "./unanswered.ts";
import { UnansweredOrder } from "./unanswered-order.tsx";

/** Sends money from the settled balance: the form, then a review, then the request. */
export function SendMoney({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Send money"
      size="lg"
      withCloseButton={!isBusy}
      closeOnEscape={!isBusy}
    >
      <Sending onDone={onClose} isBusy={isBusy} onBusy={setBusy} />
    </Modal>
  );
}

type Props = { onDone: () => void; isBusy: boolean; onBusy: (isBusy: boolean) => void };

function Sending({ onDone, isBusy, onBusy }: Props) {
  const settled = useRead("balance").data?.settled;
  const { form, named } = useOrderForm(settled);
  const { unanswered, drop, send, submit } = useSending(onDone, onBusy);
  const [isReviewing, setReviewing] = useState(unanswered !== null);
  const sendOrder = async (order: Order, account: NamedAccount) => {
    const problem = await submit(order, account);
    form.setErrors(fieldErrors(problem));
    if (problem instanceof ApiProblem && problem.code === "validation_failed") setReviewing(false);
  };
  if (unanswered && !isBusy)
    return (
      <UnansweredOrder
        unanswered={unanswered}
        problem={send.error}
        onSend={() => void sendOrder(unanswered.order, unanswered.account)}
        onDone={onDone}
        onGiveUp={() => {
          drop();
          onDone();
        }}
      />
    );
  const order = unanswered?.order ?? form.values;
  const account = unanswered?.account ?? named.data;
  if ((isReviewing || unanswered) && account)
    return (
      <OrderReview
        order={order}
        account={account}
        problem={send.error}
        isSending={isBusy}
        onSend={() => void sendOrder(order, account)}
        onBack={() => {
          send.reset();
          setReviewing(false);
        }}
      />
    );
  return (
    <form onSubmit={form.onSubmit(() => setReviewing(true))}>
      <Stack>
        <Beneficiary form={form} named={named} />
        <OrderTerms form={form} settled={settled} />
      </Stack>
    </form>
  );
}

/** The form. It is prefilled with a stored order that was refused. */
function useOrderForm(settled: number | undefined) {
  const { mode } = useScope();
  const { unanswered } = useUnanswered();
  const [reference] = useState(() => newReference("transfer"));
  const bank_code = mode === "test" ? TEST_BANK_CODE : "";
  const form = useForm<Order>({
    initialValues: unanswered?.order ?? { bank_code, account_number: "", amount: "", reference, narration: "" },
    validate: {
      bank_code: (code) => (code ? null : "Choose a bank."),
      account_number: (number) => (named.data ? null : accountError(number)),
      amount: (amount) => amountError(Number(amount), settled),
      reference: (reference) => (reference.trim() ? null : "Enter a reference. It prevents duplicate transfers."),
    },
  });
  const named = useNamedAccount(mode, form.values.bank_code, form.values.account_number);
  return { form, named };
}

/** Sends an order and stores it until there is a response. */
function useSending(onDone: () => void, onBusy: (isBusy: boolean) => void) {
  const { home, merchantId, mode } = useScope();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { unanswered, keep, drop } = useUnanswered();
  const send = useAct("transfers", {
    changes: ["transfers", "balance"],
  });
  /** Returns the error, if there was one. */
  const submit = async (order: Order, account: NamedAccount): Promise<unknown> => {
    const wasUnanswered = unanswered !== null;
    // A search for the reference is trimmed too.
    const { narration, ...terms } = { ...order, reference: order.reference.trim() };
    onBusy(true);
    keep({ order: { ...terms, narration }, account, asked_at: Date.now() });
    try {
      const fields = { ...terms, amount: Number(order.amount), ...(narration.trim() && { narration }) };
      const { transfer } = await send.mutateAsync(fields);
      drop();
      onDone();
      navigate(`${home}/transfers/${encodeURIComponent(transfer.reference)}`);
      return null;
    } catch (problem) {
      if (!isOpenAfter(problem, wasUnanswered)) drop();
      // It may have been created anyway.
      for (const noun of ["transfers", "balance"])
        void client.invalidateQueries({ queryKey: [merchantId, mode, noun] });
      return problem;
    } finally {
      onBusy(false);
    }
  };
  return { unanswered, drop, send, submit };
}

function accountError(number: string): string {
  return /^\d{10}$/.test(number) ? "The account name is not confirmed yet." : "An account number has 10 digits.";
}

function amountError(amount: number, settled: number | undefined): string | null {
  if (!(amount > 0)) return "Enter an amount.";
  if (settled !== undefined && amount > settled) return `Your settled balance is ${money(settled)}.`;
  return null;
}
