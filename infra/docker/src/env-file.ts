import { parseEnv } from "node:util";
import { publicKeyOf } from "@collect/bus";
import { addOperator } from "@collect/contracts";
import { newSecret } from "./new-secret.ts";

type Options = {
  /** The secrets that docker-compose.yml requires. */
  required: string[];
  /** Operators to admit: `ada:U…`. Without any, a new deployment admits the one with the key in `OPERATOR_NKEY_SEED`. */
  operators: string[];
};

type Completed = {
  text: string;
  added: { settings: string[]; operators: string[] };
  /** The names of those who are admitted. */
  operators: string[];
};

/**
 * The text of `.env` with a random value for every secret that it lacks. No value that is there is changed, because the data
 * belong to it; `OPERATORS` is added to. `before` is undefined for a new deployment.
 */
export function completeEnv(before: string | undefined, { required, operators }: Options): Completed {
  const present = parseEnv(before ?? "");
  const missing = required.filter((name) => !present[name]);
  if (before !== undefined) refuseLost(missing);
  const secrets = Object.fromEntries(missing.map((name) => [name, newSecret(name)]));

  const admitted = (present.OPERATORS ?? "").split(",").filter(Boolean);
  const wanted = operators.map(asOperator);
  const first = () => `operator:${publicKeyOf(present.OPERATOR_NKEY_SEED || (secrets.OPERATOR_NKEY_SEED ?? ""))}`;
  if (admitted.length + wanted.length === 0) wanted.push(first());
  const added = wanted.filter((entry) => !admitted.includes(entry));

  const settings = { ...secrets, ...(added.length > 0 && { OPERATORS: [...admitted, ...added].join() }) };
  return {
    text: withSettings(before ?? "", settings),
    added: { settings: missing, operators: added.map(nameOf) },
    operators: [...new Set([...admitted, ...added].map(nameOf))],
  };
}

/**
 * What data belong to, and how to make the first value of one. Ids derive from the first two, so that a transfer would be
 * credited or paid twice; the volume's cluster has the third; stored secrets are encrypted under the others.
 */
const IRREPLACEABLE: Record<string, string> = {
  INTAKE_KEY: "the output of openssl rand -hex 32",
  TRANSFER_KEY: "the output of openssl rand -hex 32",
  POSTGRES_PASSWORD: "the output of openssl rand -hex 32",
  WEBHOOKS_KEYRING: "k1: and the output of openssl rand -base64 32",
  DASHBOARD_KEYRING: "k1: and the output of openssl rand -base64 32",
};

function refuseLost(missing: string[]): void {
  const lost = missing.filter((name) => IRREPLACEABLE[name]);
  if (lost.length === 0) return;
  const lines = lost.map((name) => `${name}= with ${IRREPLACEABLE[name]}`).join(", ");
  throw new Error(
    `.env lacks ${lost.join(" and ")}, which this deployment's data belong to: put the former value back. If it never had one, add a line: ${lines}`,
  );
}

function asOperator(text: string): string {
  const [name, public_key] = text.split(":");
  const parsed = addOperator.input.safeParse({ name, public_key });
  if (!parsed.success)
    throw new Error(
      `${text} is no operator: give a name and a public key, such as ada:U…, which make-nkey.ts prints for that person`,
    );
  return `${parsed.data.name}:${parsed.data.public_key}`;
}

const nameOf = (operator: string) => operator.split(":")[0] ?? "";

/** The lines as they were, but for those that are set now. */
function withSettings(text: string, settings: Record<string, string>): string {
  const isSet = (line: string) => Object.keys(settings).some((name) => line.startsWith(`${name}=`));
  const kept = text.split("\n").filter((line) => !isSet(line));
  if (kept.at(-1) === "") kept.pop();
  const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [...kept, ...added].map((line) => `${line}\n`).join("");
}
