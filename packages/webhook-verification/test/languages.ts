import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VECTORS, type Vector } from "../src/index.ts";

type Command = [program: string, ...args: string[]];

/** `files` are copied into an empty folder, `commands` run there, and the last one reads the vectors. */
export type Language = {
  name: string;
  grammar: string;
  source: string;
  /** Prints the version of what runs it. */
  version: Command;
  files: Record<string, string>;
  commands: Command[];
};

export const LANGUAGES: Language[] = [
  {
    name: "Python",
    grammar: "python",
    source: "python/verify_webhook.py",
    version: ["python3", "--version"],
    files: { "python/verify_webhook.py": "verify_webhook.py", "test/runners/run.py": "run.py" },
    commands: [["python3", "run.py"]],
  },
  {
    name: "PHP",
    grammar: "php",
    source: "php/verify_webhook.php",
    version: ["php", "--version"],
    files: { "php/verify_webhook.php": "verify_webhook.php", "test/runners/run.php": "run.php" },
    commands: [["php", "run.php"]],
  },
  {
    name: "Go",
    grammar: "go",
    source: "go/webhook.go",
    version: ["go", "version"],
    files: { "go/webhook.go": "collect/webhook.go", "test/runners/run.go": "run.go", "test/runners/go.mod": "go.mod" },
    commands: [["go", "run", "."]],
  },
  {
    name: "Java",
    grammar: "java",
    source: "java/WebhookVerifier.java",
    version: ["javac", "-version"],
    files: { "java/WebhookVerifier.java": "WebhookVerifier.java", "test/runners/Run.java": "Run.java" },
    commands: [
      ["javac", "-encoding", "UTF-8", "-Xlint:all,-serial", "-Werror", "WebhookVerifier.java", "Run.java"],
      ["java", "Run"],
    ],
  },
  {
    name: "C#",
    grammar: "c-sharp",
    source: "csharp/WebhookVerifier.cs",
    version: ["mcs", "--version"],
    files: { "csharp/WebhookVerifier.cs": "WebhookVerifier.cs", "test/runners/Run.cs": "Run.cs" },
    commands: [
      ["mcs", "-langversion:7", "-warnaserror", "-out:run.exe", "WebhookVerifier.cs", "Run.cs"],
      ["mono", "run.exe"],
    ],
  },
];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const RUN_MS_MAX = 50_000;

/** The version that this machine has; undefined if the language cannot be run here. */
export function versionHere({ version: [program, ...args] }: Language): string | undefined {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0]?.trim() : undefined;
}

/** What the language decides about each vector, in order. */
export function decisions({ files, commands }: Language, folder: string): string[] {
  for (const [from, to] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(ROOT, from), join(folder, to));
  }
  const outputs = commands.map(([program, ...args], at) => {
    const input = at === commands.length - 1 ? VECTORS.map(line).join("") : "";
    return execFileSync(program, args, { cwd: folder, input, encoding: "utf8", timeout: RUN_MS_MAX });
  });
  return outputs.at(-1)?.trimEnd().split(/\r?\n/) ?? [];
}

/** One line, so that no runner needs a parser of JSON: not every language has one. */
function line({ now, tolerance_s, secrets, body, headers }: Vector): string {
  const pairs = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const encoded = Buffer.from(pairs.join("\n")).toString("base64");
  return `${[now, tolerance_s ?? "any", secrets.join(","), body, encoded].join("\t")}\n`;
}
