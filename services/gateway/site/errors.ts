import { MERCHANT_CODES, PROBLEMS, problemPage } from "@collect/contracts";
import { CAUSES } from "../src/openapi/causes.ts";
import type { Source } from "./markdown.ts";

/** `/docs/errors`, and a page for every code: the `type` of a problem. */
export function errorSources(): Source[] {
  return [
    { path: "errors", markdown: list() },
    ...MERCHANT_CODES.map((code) => ({ path: `errors/${code}`, markdown: about(code) })),
  ];
}

/** The address of each page, by its code. */
export function errorTargets(): [code: string, url: string][] {
  return MERCHANT_CODES.map((code) => [code, problemPage(code)]);
}

function list(): string {
  const rows = MERCHANT_CODES.map((code) => `| ${PROBLEMS[code].status} | \`${code}\` | ${PROBLEMS[code].title} |`);
  return `# Errors

A refusal is \`application/problem+json\` (RFC 9457), and its \`type\` is the page of its code. Rely on the status and \`code\`; texts
may change. Quote the \`request_id\` when you contact support.

| Status | Code | Meaning |
|---|---|---|
${rows.join("\n")}
`;
}

function about(code: (typeof MERCHANT_CODES)[number]): string {
  const { status, title } = PROBLEMS[code];
  const { cause, cure } = CAUSES[code];
  return `# \`${code}\`

${status}: ${title}.

## Cause

${cause}

## What to do

${cure}
`;
}
