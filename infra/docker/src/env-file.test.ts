import { parseEnv } from "node:util";
import { createSeed, publicKeyOf } from "@collect/bus";
import { expect, test } from "vitest";
import { completeEnv } from "./env-file.ts";

const operatorSeed = createSeed();
const anOperator = (name: string) => `${name}:${publicKeyOf(createSeed())}`;
const complete = (before: string, ...operators: string[]) =>
  completeEnv(before, { operators, operatorSeed, secrets: ["FACT_KEY", "POSTGRES_PASSWORD"] });

test("a new deployment admits the operator whose key is among the secrets", () => {
  const { text, added, operators } = complete("");
  expect(parseEnv(text)).toEqual({ OPERATORS: `operator:${publicKeyOf(operatorSeed)}` });
  expect([added, operators]).toEqual([["operator"], ["operator"]]);
});

test("named operators are admitted instead, and no other", () => {
  const [ada, bola] = [anOperator("ada"), anOperator("bola")];
  const { text, operators } = complete("", ada, bola);
  expect(parseEnv(text).OPERATORS).toBe(`${ada},${bola}`);
  expect(operators).toEqual(["ada", "bola"]);
  for (const wrong of ["ada", "ada:U1", ":", "Ada Obi:U1"])
    expect(() => complete("", wrong), wrong).toThrow(`${wrong} is no operator`);
});

test("repeated it changes nothing; a further operator is added behind the others", () => {
  const ada = anOperator("ada");
  const first = complete("");
  expect(complete(first.text)).toEqual({ ...first, added: [] });
  const second = complete(first.text, ada);
  expect(second).toMatchObject({ added: ["ada"], text: first.text.replace(/\n$/, `,${ada}\n`) });
  expect(complete(second.text, ada)).toEqual({ ...second, added: [] });
});

test("of an existing file the lines of secrets go, which are in files of their own, and no other changes", () => {
  const before =
    "# ours\nPOSTGRES_PASSWORD=secret\nBANK_CODE=044\nFACT_KEY=\n\nFACT_KEY_NOTE='k e y'\nOPERATORS=ada:U1\n";
  expect(complete(before)).toEqual({
    text: "# ours\nBANK_CODE=044\n\nFACT_KEY_NOTE='k e y'\nOPERATORS=ada:U1\n",
    added: [],
    operators: ["ada"],
  });
});

test.each([
  "export FACT_KEY=secret",
  "  FACT_KEY = secret",
  "\tFACT_KEY\t=\tsecret",
  "FACT_KEY='secret' # ours",
  'FACT_KEY="one\nsecret"',
  "FACT_KEY=other\nexport FACT_KEY=secret",
  "FACT_KEY=secret\r",
])("%j goes too: it is read as the secret", (lines) => {
  expect(parseEnv(lines).FACT_KEY).toContain("secret");
  expect(complete(`BANK_CODE=044\n${lines}\nOPERATORS=ada:U1\n`).text).toBe("BANK_CODE=044\nOPERATORS=ada:U1\n");
});

test("a file is refused in which a secret would stay, or take another setting with it", () => {
  for (const lines of ["NOTE='\nFACT_KEY=secret\n'", "export\tFACT_KEY=secret"])
    expect(() => complete(`${lines}\nOPERATORS=ada:U1\n`), lines).toThrow("write each setting on a line of its own");
});
