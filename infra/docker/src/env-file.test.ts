import { parseEnv } from "node:util";
import { createSeed, publicKeyOf } from "@collect/bus";
import { expect, test } from "vitest";
import { completeEnv } from "./env-file.ts";

const required = ["POSTGRES_PASSWORD", "INTAKE_KEY", "LEDGER_NKEY_SEED", "OPERATOR_NKEY_SEED", "FACT_KEY"];
const keyrings = ["WEBHOOKS_KEYRING", "DASHBOARD_KEYRING"];
const anOperator = (name: string) => `${name}:${publicKeyOf(createSeed())}`;
const complete = (before?: string, ...operators: string[]) => completeEnv(before, { required, operators });

test("a new deployment gets every secret, each in its format, and an operator with the key in .env", () => {
  const { text, added, operators } = complete();
  const settings = parseEnv(text);
  expect(Object.keys(settings).sort()).toEqual([...required, "OPERATORS"].sort());
  expect(settings.FACT_KEY).toMatch(/^k1:[0-9a-f]{64}$/);
  expect(settings.OPERATORS).toBe(`operator:${publicKeyOf(settings.OPERATOR_NKEY_SEED ?? "")}`);
  expect([added, operators]).toEqual([{ settings: required, operators: ["operator"] }, ["operator"]]);
});

test("named operators are admitted instead, and no other", () => {
  const [ada, bola] = [anOperator("ada"), anOperator("bola")];
  const { text, operators } = complete(undefined, ada, bola);
  expect(parseEnv(text).OPERATORS).toBe(`${ada},${bola}`);
  expect(operators).toEqual(["ada", "bola"]);
  for (const wrong of ["ada", "ada:U1", ":", "Ada Obi:U1"])
    expect(() => complete(undefined, wrong), wrong).toThrow(`${wrong} is no operator`);
});

test("an existing file is completed: no line of it changes, and an empty value is a missing one", () => {
  const before = "# ours\nPOSTGRES_PASSWORD=secret\nINTAKE_KEY='k e y'\nBANK_CODE=044\nFACT_KEY=\n\nOPERATORS=ada:U1";
  const { text, added } = complete(before);
  expect(text.split("\n").slice(0, 6)).toEqual(before.split("\n").filter((line) => line !== "FACT_KEY="));
  expect(added).toEqual({ settings: ["LEDGER_NKEY_SEED", "OPERATOR_NKEY_SEED", "FACT_KEY"], operators: [] });
  expect(parseEnv(text)).toMatchObject({ ...parseEnv(before), FACT_KEY: expect.stringMatching(/^k1:/) });
});

test("repeated it changes nothing; a further operator is added behind the others", () => {
  const ada = anOperator("ada");
  const first = complete();
  expect(complete(first.text)).toEqual({ ...first, added: { settings: [], operators: [] } });
  const second = complete(first.text, ada);
  expect(second.added).toEqual({ settings: [], operators: ["ada"] });
  expect(second.text).toBe(first.text.replace(/\n$/, `,${ada}\n`));
  expect(complete(second.text, ada)).toEqual({ ...second, added: { settings: [], operators: [] } });
});

test("a key that must never change is not made anew beside data that belong to it", () => {
  const options = { required: [...required, ...keyrings], operators: [] };
  const { text } = completeEnv(undefined, options);
  const without = (...names: string[]) =>
    names.reduce((rest, name) => rest.replace(new RegExp(`^${name}=.*\n`, "m"), ""), text);
  const again = (before: string) => completeEnv(before, options);
  expect(again(text)).toMatchObject({ text, added: { settings: [] } });
  expect(() => again(without("INTAKE_KEY"))).toThrow(
    ".env lacks INTAKE_KEY, which this deployment's data belong to: put the former value back. If it never had one, add a line: INTAKE_KEY= with the output of openssl rand -hex 32",
  );
  expect(() => again(without("POSTGRES_PASSWORD"))).toThrow(".env lacks POSTGRES_PASSWORD");
  for (const name of keyrings)
    expect(() => again(without(name))).toThrow(`${name}= with k1: and the output of openssl rand -base64 32`);
  expect(() => again(without(...keyrings))).toThrow(".env lacks WEBHOOKS_KEYRING and DASHBOARD_KEYRING, which");
  expect(again(without("FACT_KEY")).added.settings).toEqual(["FACT_KEY"]);
});
