import { Problem } from "@collect/contracts";

export type Output = { json?: true };

/** The result, and nothing else, on standard output: one line of JSON for programs, a few words for people. */
export function print(result: object, { json }: Output, words: () => string): void {
  console.log(json ? JSON.stringify(result) : words());
}

/** What went wrong on standard error, by its code and in words; the command ends with 1. */
export function printFailure(error: unknown): void {
  process.exitCode = 1;
  console.error(
    error instanceof Problem ? problemWords(error) : error instanceof Error ? error.message : String(error),
  );
}

function problemWords({ code, detail, errors = [] }: Problem): string {
  return [`${code}: ${detail}`, ...errors.map(({ param, message }) => `  ${param}: ${message}`)].join("\n");
}
