import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language as Grammar, Parser } from "@vscode/tree-sitter-wasm";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { VECTORS } from "../src/index.ts";
import { decisions, LANGUAGES, versionHere } from "./languages.ts";

const languages = LANGUAGES.map((language) => ({ ...language, version: versionHere(language) }));

beforeAll(async () => {
  await Parser.init();
  const lines = languages.map(({ name, version }) => `${name}: ${version ? `run by ${version}` : "only parsed here"}`);
  process.stdout.write(`${lines.join("\n")}\n`);
});

describe.each(LANGUAGES)("$name", (language) => {
  const { source, grammar } = language;

  test.runIf(versionHere(language))("decides every vector as published", async () => {
    const folder = await mkdtemp(join(tmpdir(), "collect-vectors-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const named = (results: string[]) => VECTORS.map(({ name }, at) => `${name}: ${results[at]}`);
    expect(named(decisions(language, folder))).toEqual(named(VECTORS.map(({ expected }) => expected)));
  });

  test("parses, and a file with a mistake does not", async () => {
    const parser = new Parser();
    parser.setLanguage(await Grammar.load(wasmOf(grammar)));
    const text = await readFile(fileURLToPath(new URL(`../${source}`, import.meta.url)), "utf8");
    const hasError = (code: string) => parser.parse(code)?.rootNode.hasError;
    expect(hasError(text)).toBe(false);
    expect(hasError(text.replace("(", "[("))).toBe(true);
  });
});

test.runIf(process.env.CI)("CI runs at least one of the languages, and does not only parse them", () => {
  expect(languages.filter(({ version }) => version)).not.toEqual([]);
});

const wasmOf = (grammar: string) =>
  createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`);
