import { type Endpoint, SANDBOX_URL, templateOf } from "../domain/endpoint.ts";
import { operationOf, tagOf } from "./operation.ts";
import { HEADERS, problemExamples, refusalComponents, success } from "./responses.ts";
import { componentSchemas, type JsonObject } from "./schemas.ts";
import { webhooks } from "./webhooks.ts";

/**
 * The merchant API in OpenAPI 3.1: the index, every row of the table, and the webhooks. Its first server is the API at this URL:
 * generated clients call it.
 */
export function openApiDocument(endpoints: readonly Endpoint[], url = SANDBOX_URL): JsonObject {
  return {
    openapi: "3.1.0",
    info: { title: "Merchant Collection API", version: "v1", description: INTRODUCTION },
    servers: [...(url === SANDBOX_URL ? [] : [{ url, description: "This API." }]), SANDBOX],
    tags: [...new Set(["Service", ...endpoints.map(({ path }) => tagOf(path)), "Webhooks"])].map((name) => ({
      name,
      description: TAGS[name],
    })),
    paths: { "/": { get: INDEX }, ...paths(endpoints) },
    webhooks: webhooks(),
    components: {
      schemas: componentSchemas(endpoints),
      responses: refusalComponents(endpoints),
      headers: HEADERS,
      examples: problemExamples(endpoints),
      securitySchemes: {
        secret_key: {
          type: "http",
          scheme: "bearer",
          description: "`sk_test_…` or `sk_live_…`, from your server only.",
        },
        restricted_key: {
          type: "http",
          scheme: "bearer",
          description:
            "`rk_test_…` or `rk_live_…`, from your server only: it can make the calls whose scope it has, from the addresses that it is limited to, if any.",
        },
        public_key: { type: "http", scheme: "bearer", description: "`pk_test_…` or `pk_live_…`, in a web page." },
      },
    },
  };
}

const SANDBOX = { url: SANDBOX_URL, description: "The sandbox that `npm start` runs on your machine." };

/** What belongs to each tag, which is the first noun of a path. */
const TAGS: Record<string, string> = {
  Service: "The API itself.",
  Balance: "What was collected and what is settled.",
  "Customer accounts": "One permanent account number for each of your customers.",
  Payments: "One-off payments of an exact amount, each with a page for the payer.",
  Banks: "The banks that money can be sent to.",
  Transfers: "Money sent from the settled balance to a bank account.",
  Collections: "Money that was received, as the webhooks report it.",
  Settlements: "Collected money as it became settled.",
  Events: "The numbered log of everything that is sent to your webhook URL.",
  Sandbox: "What only test mode has.",
  Checkout: "What a web page calls with a public key, and the payer's page with the reference of a session.",
  Webhooks: "What your own server receives.",
};

const INTRODUCTION = `Gives each of your customers one permanent bank account number, and notifies your server when money is paid into it.

**Amounts** are naira with at most two decimals. One transfer into an account is at most 10,000,000,000. A payment session may request at most 5,000,000 unless your business has another limit. Test mode accepts at most 20,000,000,000 a day (UTC) per business; above that, simulations are refused with \`rate_limited\` until the next day. **Times** are RFC 3339 with an offset. The key alone decides the **mode**, test or live; every response includes it.

**Bodies** are JSON or a form, up to 32 kB; unknown fields are ignored, and null in an optional field is as good as leaving it out. **Errors** are \`application/problem+json\` (RFC 9457): rely on \`code\`; \`type\` is the address of a page about its cause and what to do.

**Retries** are safe for every call that creates something under your own reference: a repeat with the same key returns the same account, session or transfer. A transfer that was refused leaves its reference free. Simulations are not safe to retry, but scenarios are: a repeat is the same run.`;

const INDEX = {
  operationId: "getIndex",
  tags: ["Service"],
  summary: "Returns the name and version of the API and the endpoints that a secret key can call.",
  description: "Needs no key, and is always available: it asks no other service.",
  security: [],
  responses: { 200: success("The index.", "ServiceIndex", false) },
};

function paths(endpoints: readonly Endpoint[]): JsonObject {
  const byPath = Map.groupBy(endpoints, ({ path }) => templateOf(path));
  return Object.fromEntries(
    [...byPath].map(([path, rows]) => [
      path,
      Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), operationOf(row)])),
    ]),
  );
}
