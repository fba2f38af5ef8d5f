import { naira } from "@collect/money";
import type { Credit } from "./books.ts";
import { TIME_FORMS, type TimeForm, writeTime } from "./times.ts";

/** The fields of a transfer with amounts in naira: numbers in the answer to a question, text in a notification. */
export function transactionOf(credit: Credit, form: TimeForm) {
  return {
    sessionId: credit.sessionId,
    initiationTranRef: "",
    accountNumber: credit.accountNumber,
    tranRemarks: credit.narration,
    transactionAmount: inNaira(credit.amount),
    settledAmount: inNaira(credit.amount - credit.fee - credit.vat),
    feeAmount: inNaira(credit.fee),
    vatAmount: inNaira(credit.vat),
    currency: credit.currency,
    settlementId: credit.settlementId,
    sourceAccountNumber: credit.payer.accountNumber,
    sourceAccountName: credit.payer.name,
    sourceBankName: credit.payer.bankName,
    channelId: "1",
    tranDateTime: writeTime(new Date(credit.paidAt), form),
  };
}

/** Each transfer is notified with the time in one of the forms, by its settlement id. */
export function notificationOf(credit: Credit, form: TimeForm | undefined) {
  const byId = TIME_FORMS[Number(credit.settlementId.slice(-1)) % TIME_FORMS.length];
  const { transactionAmount, settledAmount, feeAmount, vatAmount, ...transaction } = transactionOf(
    credit,
    form ?? byId ?? "plain",
  );
  const amounts = { transactionAmount, settledAmount, feeAmount, vatAmount };
  return {
    ...transaction,
    ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, String(value)])),
  };
}

/** What the bank answers about a transfer that it does not know. */
export const NOT_FOUND = {
  ...{ sessionId: "", initiationTranRef: "", accountNumber: "", tranRemarks: "Transaction not found!!!" },
  ...{
    transactionAmount: 0,
    settledAmount: 0,
    feeAmount: 0,
    vatAmount: 0,
    currency: "",
    channelId: "",
    tranDateTime: "",
  },
};

const inNaira = (kobo: number) => naira(BigInt(kobo));
