import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { assertEncrypted, loadConfig, Port, SharedSecret } from "../src/index.ts";

const Config = z.object({ PORT: Port.default(4000), SECRET: z.string().min(8) });

describe("the configuration", () => {
  test("is validated and frozen, and an empty variable counts as absent", () => {
    const config = loadConfig(Config, { PORT: "", SECRET: "long enough" });
    expect(config).toEqual({ PORT: 4000, SECRET: "long enough" });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test("reports the names of invalid variables and never their values", () => {
    expect(() => loadConfig(Config, { PORT: "70000", SECRET: "hunter2" })).toThrow(/PORT: .*\n.*SECRET: /);
    expect(() => loadConfig(Config, { SECRET: "hunter2" })).not.toThrow(/hunter2/);
  });

  test("reads a setting from the file that NAME_FILE names, without the line's end", () => {
    const SECRET_FILE = aFile("long enough\n");
    expect(loadConfig(Config, { SECRET_FILE })).toEqual({ PORT: 4000, SECRET: "long enough" });
    expect(() => loadConfig(Config, { SECRET_FILE: aFile("short") })).toThrow(/SECRET: /);
  });

  test("refuses a setting that is given by value and by file, and a file that cannot be read", () => {
    const twice = { SECRET: "long enough", SECRET_FILE: aFile("long enough") };
    expect(() => loadConfig(Config, twice)).toThrow("SECRET: is set twice, by SECRET and SECRET_FILE");
    expect(() => loadConfig(Config, { SECRET_FILE: "/nowhere/secret" })).toThrow("SECRET_FILE: is not a readable file");
  });

  test("puts the password that is apart into its URL, and refuses a second one", () => {
    const Database = z.object({ DATABASE_URL: z.string(), SMTP_URL: z.url().optional() });
    const DATABASE_PASSWORD_FILE = aFile("50% of p@ss/word\n");
    const { DATABASE_URL } = loadConfig(Database, {
      DATABASE_URL: "postgresql://role@db/collect",
      DATABASE_PASSWORD_FILE,
    });
    expect(decodeURIComponent(new URL(DATABASE_URL).password)).toBe("50% of p@ss/word");
    const twice = { DATABASE_URL: "postgresql://role:one@db/collect", DATABASE_PASSWORD: "two" };
    expect(() => loadConfig(Database, twice)).toThrow("DATABASE_PASSWORD: DATABASE_URL has a password too");
  });

  test("counts an empty file as absent", () => {
    expect(loadConfig(z.object({ SMTP_URL: z.url().optional() }), { SMTP_URL_FILE: aFile("\n") })).toEqual({});
  });

  test("takes a shared secret alone or with its predecessor, and checks both", () => {
    const Shared = z.object({ SECRET: SharedSecret(8) });
    expect(loadConfig(Shared, { SECRET: "the first one" })).toEqual({ SECRET: ["the first one"] });
    expect(loadConfig(Shared, { SECRET: "the new one, the old one" }).SECRET).toEqual(["the new one", "the old one"]);
    for (const SECRET of ["short", "the new one,short", "the new one,"])
      expect(() => loadConfig(Shared, { SECRET })).toThrow(/SECRET/);
  });
});

describe("in production", () => {
  const production = { NODE_ENV: "production" };
  const check =
    (url: string, environment: Record<string, string> = production) =>
    () =>
      assertEncrypted("BANK_URL", url, environment);

  test.each([
    "https://bank.example/v1",
    "tls://nats.example:4222",
    "tls://a.example:4222,tls://b.example:4222",
    "smtps://mail.example",
    "smtp://mail.example?requireTLS=true",
    "postgresql://role:secret@db.example/collect?sslmode=verify-full",
    "postgresql://role:secret@db.example/collect?sslmode=require",
    "http://localhost:4400",
    "http://127.0.0.1:4400",
    "http://[::1]:4400",
    "nats://127.0.0.1:4222,localhost:4223",
    "postgresql:///collect?host=/run/postgresql",
  ])("%s is accepted", (url) => expect(check(url)).not.toThrow());

  test.each([
    "http://bank.example/v1",
    "nats://nats.example:4222",
    "nats.example:4222",
    "tls://a.example:4222,nats://b.example:4222",
    "nats://127.0.0.1:4222,b.example:4222",
    "nats://localhost,b.example",
    "smtp://mail.example",
    "postgresql://role:secret@db.example/collect",
    "postgresql://role:secret@db.example/collect?sslmode=prefer",
    "postgresql://role:secret@localhost/collect?host=db.example",
    "http://localhost.example",
    "http://127.0.0.1.example",
  ])("%s is refused", (url) => expect(check(url)).toThrow(/^BANK_URL: is not encrypted: /));

  test("a setting in clear is accepted if ALLOW_PLAINTEXT names it, or all", () => {
    for (const ALLOW_PLAINTEXT of ["true", "BANK_URL", "NATS_URL, BANK_URL"])
      expect(check("http://bank.example", { ...production, ALLOW_PLAINTEXT })).not.toThrow();
    for (const ALLOW_PLAINTEXT of ["", "false", "NATS_URL"])
      expect(check("http://bank.example", { ...production, ALLOW_PLAINTEXT })).toThrow();
    expect(check("http://bank.example", {})).not.toThrow();
  });

  test("the configuration refuses every URL in clear, and says nothing of its password", () => {
    const Urls = z.object({ DATABASE_URL: z.string(), DOCS_URL: z.url().optional() });
    const DATABASE_URL = "postgresql://role:hunter2@db.example/collect";
    expect(() => loadConfig(Urls, { ...production, DATABASE_URL })).toThrow("DATABASE_URL: is not encrypted");
    expect(() => loadConfig(Urls, { ...production, DATABASE_URL })).not.toThrow("hunter2");
    expect(loadConfig(Urls, { ...production, DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full` })).toBeTruthy();
    expect(() => loadConfig(Urls, { ...production, DATABASE_URL_FILE: aFile(DATABASE_URL) })).toThrow("not encrypted");
  });
});

function aFile(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), "collect-config-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "secret");
  writeFileSync(path, content);
  return path;
}
