import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./settings.ts";

/** A guide of the documentation: the commands that it has its reader run, each with the output that it shows, and its files. */
export type Guide = { name: string; commands: Command[]; files: Map<string, string> };
export type Command = { text: string; shown?: { language: string; text: string } };

/** The guides of the documentation, and those about the partner banks. */
export const GUIDES = join(ROOT, "services/gateway/docs/guides");
export const GOING_LIVE = join(ROOT, "docs/going-live");

/** The guides of a folder that have commands. Only the ports are replaced: `portOf` has the ones in use for those that the guides name. */
export function readGuides(folder: string, portOf: Map<string, string>): Guide[] {
  const local = (text: string) =>
    text.replace(/(localhost:|listen\()(\d+)/g, (_, before, port) => `${before}${portOf.get(port) ?? port}`);
  const guides = readdirSync(folder).map((file) => parseGuide(file, local(readFileSync(join(folder, file), "utf8"))));
  return guides.filter(({ commands }) => commands.length > 0);
}

/** Runs all commands of a guide in one shell, in a folder with its files, and returns what each printed. Throws if one fails. */
export async function runGuide(
  { name, commands, files }: Guide,
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<string[]> {
  for (const [file, text] of files) await writeFile(join(folder, file), text);
  const script = [PROLOGUE, ...commands.map(({ text }) => `${text}\n${SEPARATE}`)].join("\n");
  const { code, stdout, stderr } = await bash(script, { cwd: folder, env });
  const printed = stdout.split(SEPARATOR);
  const failed = commands[printed.length - 1];
  if (code !== 0 || failed) throw new Error(`${name} fails at\n${failed?.text}\n${printed.at(-1)}${stderr}`);
  return printed.slice(0, -1);
}

const SEPARATOR = "\u001e";
const SEPARATE = "printf '\\036'";
const PROLOGUE = `set -eu -o pipefail; trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`;
const LONGEST_MS = 170_000;

function bash(script: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile("bash", ["-c", script], { ...options, timeout: LONGEST_MS }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    ),
  );
}

/** A block of `sh` is a command, and a block of `json` or `text` after it is what it prints. One of `js` that begins with its name is a file. */
function parseGuide(name: string, markdown: string): Guide {
  const guide: Guide = { name, commands: [], files: new Map() };
  for (const [, language = "", text = ""] of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const last = guide.commands.at(-1);
    const [, file] = text.match(/^\/\/ (\S+\.mjs)\n/) ?? [];
    if (language === "sh") guide.commands.push({ text });
    else if (file) guide.files.set(file, text);
    else if (last && (language === "json" || language === "text")) last.shown ??= { language, text };
  }
  return guide;
}
