/** Where the document is as it should be in spite of a linter's rule: the places, as a pattern of their pointers, and why. */
export type Exception = { rule: string; at: RegExp; because: string };

const NO_KEY = /^paths\/~1(checkout~1\{reference\}.*)?\/(get|post)\/(security|responses)$/;
const RETURNED = /^(components\/(schemas\/(?!\w+Body\/)|responses|headers)|webhooks\/)/;
const INDEX = /^paths\/~1\/get\/responses$/;

export const REDOCLY: Exception[] = [
  {
    rule: "info-license",
    at: /^info$/,
    because: "The service has customers, not licensees; the SDK has a license of its own.",
  },
  {
    rule: "no-server-example.com",
    at: /^servers\/0\/url$/,
    because: "The sandbox is on the reader's machine. A deployed gateway puts its own URL first.",
  },
  {
    rule: "operation-4xx-response",
    at: INDEX,
    because: "The index takes no key and no input: there is nothing to refuse.",
  },
  {
    rule: "operation-2xx-response",
    at: /^paths\/~1payments~1crypto\/post\/responses$/,
    because: "The specification names the operation, and refuses it until there is an exchange partner.",
  },
];

export const SPECTRAL: Exception[] = [
  { rule: "info-contact", at: /^info$/, because: "Contacts are in the dashboard, for customers." },
  {
    rule: "info-license",
    at: /^info$/,
    because: "The service has customers, not licensees; the SDK has a license of its own.",
  },
  { rule: "license-url", at: /^info$/, because: "There is no license, see info-license." },
  {
    rule: "api8:2023-no-server-http",
    at: /^servers\/0\/url$/,
    because: "The sandbox is on the reader's machine. A deployed gateway puts its own https URL first.",
  },
  {
    rule: "api9:2023-inventory-access",
    at: /^servers\/0$/,
    because: "The rule's own extension; every server here is public.",
  },
  { rule: "openapi-tags-alphabetical", at: /^tags$/, because: "In the order in which a newcomer uses them." },
  {
    rule: "oas3-operation-security-defined",
    at: /\/restricted_key\/0$/,
    because: "OpenAPI 3.1 allows roles for every kind of scheme; the rule knows 3.0, where only OAuth has scopes.",
  },
  {
    rule: "api2:2023-read-restricted",
    at: NO_KEY,
    because:
      "The index is public. The payer of a session has no key: its reference, 128 random bits, is the credential.",
  },
  { rule: "api2:2023-write-restricted", at: NO_KEY, because: "The reference of a session is the payer's credential." },
  { rule: "api8:2023-define-error-responses-401", at: NO_KEY, because: "What takes no key cannot refuse one." },
  {
    rule: "api8:2023-define-error-responses-500",
    at: INDEX,
    because: "The index is constant: it asks no other service.",
  },
  {
    rule: "api8:2023-define-error-validation",
    at: /\/get\/responses$/,
    because: "These take no input but a reference, and a malformed one is not found, like any other.",
  },
  {
    rule: "operation-success-response",
    at: /^paths\/~1payments~1crypto\/post\/responses$/,
    because: "The specification names the operation, and refuses it until there is an exchange partner.",
  },
  {
    rule: "api4:2023-rate-limit-responses-429",
    at: /^paths\/~1(|payments~1crypto|payments~1\{reference\}~1cancel|sandbox~1settle|sandbox~1clock)\/(get|post)\/responses$/,
    because: "The specification gives budgets to reads and to issuing accounts; the rest is bounded by slots (503).",
  },
  {
    rule: "api4:2023-rate-limit",
    at: /\/headers$/,
    because: "Only calls that count against a budget say what is left of it.",
  },
  {
    rule: "api8:2023-define-cors-origin",
    at: /\/headers$/,
    because:
      "No response allows another origin: keys stay on servers. The one call of a web page is on the checkout host, which allows it.",
  },
  {
    rule: "api4:2023-string-limit",
    at: /^(paths\/.*\/parameters\/\d+\/schema|components\/schemas\/\w+Body\/properties\/\w+)$/,
    because: "A pattern or a format bounds each of these; linters.test.ts checks that none is without.",
  },
  {
    rule: "api4:2023-string-restricted",
    at: /^(paths\/.*\/parameters\/\d+\/schema|components\/schemas\/\w+Body\/properties\/\w+)$/,
    because: "Names, references, cursors and URLs that are ignored when malformed; each has a limit.",
  },
  { rule: "api4:2023-string-limit", at: RETURNED, because: "The service writes these; limits are for what it reads." },
  { rule: "api4:2023-string-restricted", at: RETURNED, because: "The service writes these." },
  { rule: "api4:2023-integer-format", at: RETURNED, because: "Written by the service, and below 2^53." },
  { rule: "api4:2023-integer-limit", at: RETURNED, because: "Written by the service, and below 2^53." },
  { rule: "api4:2023-array-limit", at: RETURNED, because: "The service writes these; `limit` bounds a page." },
];
