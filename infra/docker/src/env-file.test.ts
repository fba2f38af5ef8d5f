import { parseEnv } from "node:util";
import { createSeed, publicKeyOf } from "@collect/bus";
import { expect, test } from "vitest";
import { completeEnv, readSettings, withVariables } from "./env-file.ts";

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

test.each([
  ["FACT_KEY=k1:a=b/c+d", "k1:a=b/c+d"],
  ["FACT_KEY=secret # ours", "secret"],
  ["export FACT_KEY = secret\r", "secret"],
  ["FACT_KEY=", ""],
  [`FACT_KEY='a#b$c\\d"'  # ours`, 'a#b$c\\d"'],
  [`FACT_KEY="it's#1"`, "it's#1"],
  ["# FACT_KEY=a#b\nFACT_KEY=secret", "secret"],
])("%j is read as Compose reads it", (line, value) => {
  expect(readSettings(`BANK_NAME=a#b\n${line}\nNOTE="p\\"q"\n`, ["FACT_KEY"]).FACT_KEY).toBe(value);
});

test("a secret that was taken from the file goes back into it as the same", () => {
  for (const value of ["a#b$c\\d", "it's#1", "k1:a=b"]) {
    const text = withVariables("BANK_CODE=044\n", { FACT_KEY: value });
    expect(readSettings(text, ["FACT_KEY"]).FACT_KEY).toBe(value);
  }
});

test.each([
  "FACT_KEY=abc#def",
  "FACT_KEY=abc\t#def",
  "FACT_KEY= # ours",
  "FACT_KEY=a$b",
  "FACT_KEY=a$$b",
  'FACT_KEY="p\\"q"',
  'FACT_KEY="a\\\\b"',
  'FACT_KEY="a$b"',
  "FACT_KEY='it\\'s'",
  "FACT_KEY='a\\'",
  'FACT_KEY="a"b',
  "FACT_KEY=`abc`",
  "FACT_KEY: secret",
  "  export FACT_KEY=abc#def",
  "FACT_KEY=abc#def\nFACT_KEY=secret",
])("%j is refused: Compose, or one of its versions, reads another secret than Node", (line) => {
  expect(() => readSettings(`BANK_CODE=044\n${line}\n`, ["ORDER_KEY", "FACT_KEY"])).toThrow(
    ".env: FACT_KEY can be read in two ways: write the value that the containers have in single quotes",
  );
});
