import { parseFields } from "@collect/contracts";
import { parseNotification } from "../json.ts";
import type { BankReport, Notifications } from "../port.ts";
import { BankNotice, BankTransfer, isBankNotice } from "./notification.ts";
import { SIGNATURE_HEADER, verifySignature } from "./signature.ts";

/** The signature covers the body, so nothing needs to be confirmed, and every report concerns money. */
export type LocalNotifications = Omit<Notifications, "parse"> & {
  parse(body: Uint8Array): BankReport;
  confirm?: never;
};

/** The reports of our own protocol. Our problem documents answer what is refused. */
export function createLocalNotifications(secrets: readonly string[]): LocalNotifications {
  return {
    path: "/bank/transfers",
    reports: ["credit", "reversal"],
    authenticate: ({ headers, body }) => verifySignature(body, headers[SIGNATURE_HEADER], secrets),
    parse: (body) => reportOf(parseNotification(body)),
    answer(outcome, report) {
      if (!report || outcome === "rejected" || outcome === "failed") return undefined;
      return { status: 200, body: { id: report.id, status: outcome } };
    },
  };
}

/** A report other than a credit may omit the payer and the time. */
function reportOf(body: unknown): BankReport {
  if (isBankNotice(body)) {
    const notice = parseFields(BankNotice, body);
    const { reverses, paid_at: paidAt } = notice;
    const payer = { name: "", accountNumber: null, bankName: null };
    return { ...reported(notice), reverses, payer, narration: null, paidAt };
  }
  const transfer = parseFields(BankTransfer, body);
  const { payer, narration, paid_at: paidAt } = transfer;
  const { name, account_number: accountNumber, bank_name: bankName } = payer;
  return { ...reported(transfer), reverses: null, payer: { name, accountNumber, bankName }, narration, paidAt };
}

const reported = ({ id, type, account_number, amount, currency, ...report }: BankNotice | BankTransfer) => ({
  ...{ id, type, accountNumber: account_number, amount, currency: currency.toUpperCase() },
  ...{ bankFee: report.bank_fee, bankVat: report.bank_vat },
  ...{ sessionId: report.session_id, settlementId: report.settlement_id },
});
