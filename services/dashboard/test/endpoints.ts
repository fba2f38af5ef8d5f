import type { Endpoint } from "../src/endpoints.ts";

/** For every field of a path, and of a body, something that its contract takes. */
const IN_PATH: Record<string, string> = {
  customer_reference: "cust_1",
  slug: "abcdefghij",
  sequence: "7",
  number: "7",
  key: "int_1",
  user_id: "nobody",
  kind: "unmatched",
  key_id: "7",
  id: "7",
};

const ACCOUNTS = "settled_account=Settled&fee_account=Fees&sales_account=Sales";
const QUERIES: Record<string, string> = {
  "/collection-days": "?from=2026-11-01&to=2026-11-21",
  "/search": "?text=Ada",
  "/settlements/quickbooks-journal": `?${ACCOUNTS}`,
  "/settlements/xero-journal": `?${ACCOUNTS}&tax_rate=None`,
  "/statement": "?month=2026-11",
  "/statement/summary": "?month=2026-11",
};

export const pathOf = ({ path }: Endpoint) =>
  path.replace(/:(\w+)/g, (_all, name) => IN_PATH[name] ?? "ref_1") + (QUERIES[path] ?? "");

const BODIES: Record<string, object> = {
  "/customers": { customer_reference: "cust_1", customer_name: "Ngozi Eze" },
  "/customers/:customer_reference/simulate": { outcome: "success", amount: 100 },
  "/simulate": { outcome: "success", amount: 100 },
  "/sessions": { amount: 2500.5, customer_reference: "cust_1" },
  "/transfers": { reference: "trf-1", amount: 100, bank_code: "058", account_number: "0123456789" },
  "/beneficiaries": { reference: "trf_1" },
  "/beneficiaries/remove": { bank_code: "058", account_number: "0123456789" },
  "/transfer-batches": { name: "salaries.csv", content: "amount,bank_code,account_number\n1,058,0123456789" },
  "/transfer-batches/:reference/confirm": { lines: 1, total: 1 },
  "/transfer-batches/:reference/approve": { confirmed_at: "2026-11-21T09:30:00Z" },
  "/payout-limits": { transfer_max: 1_000, day_max: null, approval_above: 500 },
  "/checkout-settings": { return_hosts: ["shop.example"], public_descriptions: true },
  "/business-profile": { color: "#0a7d5b", support_email: null, support_phone: null },
  "/transfers/resolve": { bank_code: "058", account_number: "0123456789" },
  "/receiver/behavior": { behavior: "error" },
  "/inbox/:kind/:reference/owner": { user_id: null },
  "/inbox/:kind/:reference/done": { note: "it stays" },
  "/links": { title: "Shoes", key: "0b8f5b1e-4c53-4d53-9a44-6d3c9b0f6a35" },
  "/links/:slug/disabled": { disabled: true },
  "/keys/roll": { kind: "secret", overlap_hours: 24 },
  "/keys/restricted": { name: "ERP", scopes: ["transfers:read", "transfers:write"] },
  "/keys/:key_id/keep": { user_id: "nobody" },
  "/webhook": { url: "https://shop.example/hook" },
  "/collections/:reference/attach": { payment_reference: "pay_1" },
  "/collections/resend": { references: ["col_1"] },
  "/replay": { from_sequence: 1, to_sequence: 9, only_undelivered: true },
  "/verify-signature": { body: "{}", signature: "00" },
  "/test-clock": { advance_by: 3_600 },
  "/scenarios": { name: "reported_twice", seed: 7, account_number: "0123456789" },
  "/verification": { details: { registered_name: "Ada Stores Ltd" } },
  "/verification/submit": {
    details: {
      registered_name: "Ada Stores Ltd",
      rc_number: "RC 123456",
      address: "1 Marina, Lagos",
      contact_name: "Ada Obi",
      contact_email: "ada@example.com",
      contact_phone: "+234 801 234 5678",
      settlement_bank_code: "058",
      settlement_account_number: "0123456789",
    },
  },
  "/mails": { webhook: true },
  "/members/invite": { email: "new.member@example.com", role: "viewer" },
  "/members/:user_id/role": { role: "viewer" },
};

export const bodyOf = ({ path }: Endpoint): object => BODIES[path] ?? {};
