import { isDeepStrictEqual, parseEnv } from "node:util";
import { publicKeyOf } from "@collect/bus";
import { addOperator } from "@collect/contracts";

type Completed = { text: string; added: string[]; operators: string[] };

/**
 * The settings of `.env`. Compose of a former release read its secrets, with a syntax of its own, so a line that it, or another
 * version of it, reads in another way than Node is refused: of `a#b`, a part could move and the line with the rest be deleted.
 */
export function readSettings(text: string, secrets: string[]): NodeJS.Dict<string> {
  const isUnclear = (name: string) =>
    new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*(?!=${CLEAR_VALUE})[=:]`, "m").test(text);
  const unclear = secrets.filter(isUnclear);
  if (unclear.length > 0)
    throw new Error(
      `.env: ${unclear.join(" and ")} can be read in two ways: write the value that the containers have in single quotes`,
    );
  return parseEnv(text);
}

/** In single quotes; in double quotes without escapes and variables; or bare, without these, a comment or a quote. */
const CLEAR_VALUE = /[ \t]*(?:(?:'[^']*(?<!\\)'|"[^"\\$]*"|[^\s'"`#$][^#$\n]*)(?:[ \t]* #.*)?)?[ \t\r]*$/.source;

/**
 * The text of `.env` with the operators that are to be admitted, `ada:U…`, added to `OPERATORS`. A deployment that has none
 * admits the one whose key is `operatorSeed`. No other line is changed, but for those of secrets, which are in files.
 */
export function completeEnv(
  before: string,
  { operators, operatorSeed, secrets }: { operators: string[]; operatorSeed: string; secrets: string[] },
): Completed {
  const admitted = (parseEnv(before).OPERATORS ?? "").split(",").filter(Boolean);
  const wanted = operators.map(asOperator);
  if (admitted.length + wanted.length === 0) wanted.push(`operator:${publicKeyOf(operatorSeed)}`);
  const added = wanted.filter((entry) => !admitted.includes(entry));
  const all = [...admitted, ...added];
  const moved = added.length > 0 ? [...secrets, "OPERATORS"] : secrets;
  const settings = added.length > 0 ? [`OPERATORS=${all.join()}`] : [];
  return { text: replaceLines(before, moved, settings), added: added.map(nameOf), operators: all.map(nameOf) };
}

/**
 * The text of `.env` with the secrets as variables. In single quotes Compose takes a value as it is, `$` and `#` too; a value that has
 * one is in double quotes.
 */
export function withVariables(before: string, secrets: Record<string, string>): string {
  const lines = Object.entries(secrets).map(([name, value]) => {
    if (value.includes("'") && !/["\\$\n]/.test(value)) return `${name}="${value}"`;
    if (/['\n]|\\$/.test(value))
      throw new Error(
        `${name} has a quotation mark, a line break or a backslash at its end, which a line of .env cannot have: replace it first`,
      );
    return `${name}='${value}'`;
  });
  return replaceLines(before, Object.keys(secrets), lines);
}

function replaceLines(text: string, names: string[], added: string[]): string {
  const kept = without(text, names).split("\n");
  if (kept.at(-1) === "") kept.pop();
  return [...kept, ...added].map((line) => `${line}\n`).join("");
}

/** Without these settings, in every form in which they are read: indented, behind `export`, over several lines in quotes. */
function without(text: string, names: string[]): string {
  const value = /[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*(?:\n|$)/.source;
  const rest = names.reduce(
    (kept, name) => kept.replace(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=${value}`, "gm"), ""),
    text,
  );
  const expected = Object.entries(parseEnv(text)).filter(([name]) => !names.includes(name));
  if (!isDeepStrictEqual({ ...parseEnv(rest) }, Object.fromEntries(expected)))
    throw new Error(".env cannot be taken apart: write each setting on a line of its own");
  return rest;
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
