import { addOperator } from "@collect/contracts";
import { TrustedProxies } from "@collect/http";
import { BUS_SETTINGS, DATABASE_SETTINGS, loadConfig, MacKeys, Port, PROCESS_SETTINGS } from "@collect/runtime";
import { z } from "zod";
import { SANDBOX_URL } from "./domain/endpoint.ts";

/** Throws for an entry that is not a name and a public nkey. */
function parseOperators(text: string): z.output<typeof addOperator.input>[] {
  return text
    .split(",")
    .filter(Boolean)
    .map((entry) => {
      const [name, public_key] = entry.trim().split(":");
      return addOperator.input.parse({ name, public_key });
    });
}

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...BUS_SETTINGS,
  ...PROCESS_SETTINGS,
  /** The key that proves orders of payouts and keys among the gateway, the dashboard, payments and the ledger: `id:key[,id:key]`. */
  ORDER_KEY: MacKeys,
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4000),
  /** The proxies in front: how many, or the networks that they are in. */
  TRUSTED_PROXIES: TrustedProxies,
  /** The URL of this API as merchants call it, with the version: the first server of the document. */
  API_URL: z.url().default(SANDBOX_URL),
  /** The URL of the public documentation, returned by the index; null until there is one. `{DOCS_URL}/errors/{code}` is the `type` of an error. */
  DOCS_URL: z.url().nullable().default(null),
  /** A request that has not been received completely by then gets 408. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).default(20_000),
  /** The operators who are admitted from the beginning: `ada:U…,bola:U…`, public nkeys. Further ones are added by operators. */
  OPERATORS: z.string().default("").transform(parseOperators),
  /** Whether what weighs much needs a second operator. On in production. */
  FOUR_EYES: z.stringbool().default(process.env.NODE_ENV === "production"),
  /** The partner bank's name: a business that imitates it is reported to the operator. */
  BANK_NAME: z.string().min(1).optional(),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
