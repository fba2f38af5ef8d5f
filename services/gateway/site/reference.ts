import { isMerchantCode } from "@collect/contracts";
import { DOCUMENT, OPERATIONS, type Operation, type Schema } from "./document.ts";
import { exampleOf, fieldList } from "./fields.ts";
import type { Source } from "./markdown.ts";

/** The reference: an overview, and a page for each tag of the OpenAPI document. */
export function referenceSources(): Source[] {
  const tags = DOCUMENT.tags.map(({ name }) => ({ name, operations: OPERATIONS.filter(({ tag }) => tag === name) }));
  return [
    { path: "reference", markdown: overview(tags) },
    ...tags.map((tag) => ({ path: pathOf(tag.name), markdown: page(tag) })),
  ];
}

/** The address of each operation and event, by its title. */
export function referenceTargets(): [title: string, url: string][] {
  return OPERATIONS.map(({ title, tag, id }) => [title, `/docs/${pathOf(tag)}#${id}`]);
}

type Tag = { name: string; operations: Operation[] };
const WEBHOOKS = "Webhooks";
const pathOf = (tag: string) => `reference/${tag.toLowerCase().replaceAll(" ", "-")}`;

function overview(tags: Tag[]): string {
  const lists = tags.map(({ name, operations }) => {
    const items = operations.map(({ title, summary }) => `- \`${title}\`\\\n  ${summary}`);
    return `## ${name}\n\n${items.join("\n")}`;
  });
  return `# API overview\n\n${DOCUMENT.info.description}\n\n${ELSEWHERE}\n\n${lists.join("\n\n")}\n`;
}

const ELSEWHERE = `For generators and tools, the same is in [openapi.json](/openapi.json) (OpenAPI 3.1). The [console](/docs/console) makes
calls to this server from the browser; it needs JavaScript.`;

const page = ({ name, operations }: Tag) => `# ${name}\n\n${operations.map(section).join("\n\n")}\n`;

function section(operation: Operation): string {
  const { id, title, summary, description, parameters, body, response } = operation;
  const isEvent = operation.tag === WEBHOOKS;
  const chapter = (name: string, of: string, ...content: string[]) =>
    [`### ${name} {#${id}.${of}}`, ...content].filter(Boolean).join("\n\n");
  const parts = [
    `## \`${title}\` {#${id}}`,
    summary,
    description,
    isEvent ? "" : `${keysOf(operation)}${retryOf(operation)}\n\n${fence("sh", curl(operation))}`,
    parameters.length > 0 &&
      chapter(isEvent ? "Headers" : "Parameters", "parameters", parameters.map((one) => line(one, isEvent)).join("\n")),
    body && chapter("Body", "body", fieldList(body, { isBody: !isEvent }), isEvent ? json(body) : ""),
    response && chapter("Response", "response", statuses(operation), fieldList(response), json(response)),
    operation.refusals.length > 0 && chapter("Errors", "errors", errors(operation)),
  ];
  return parts.filter(Boolean).join("\n\n");
}

const REPEATABLE = { always: "yes", with_reference: "with a `reference` of your own", never: "no" };
const KEYS: Record<string, string> = { secret_key: "secret", restricted_key: "restricted", public_key: "public" };
function keysOf({ security }: Operation): string {
  const keys = security.flatMap((one) => Object.keys(one)).map((name) => KEYS[name] ?? name);
  return `**Key**: ${keys.join(" or ") || "none"}.`;
}

/** Reads always are. */
function retryOf({ title, "x-repeatable": repeatable }: Operation): string {
  return repeatable && title.startsWith("POST") ? ` **Safe to repeat**: ${REPEATABLE[repeatable]}.` : "";
}

const line = ({ name, required, description = "" }: Operation["parameters"][number], isEvent: boolean) =>
  `- **\`${name}\`**${required && !isEvent ? " *required*" : ""}. ${description}`;

const statuses = ({ succeeded }: Operation) =>
  succeeded.map(({ status, description = "" }) => `**${status}**: ${description}`).join(" ");

const errors = ({ refusals }: Operation) =>
  refusals
    .filter(isMerchantCode)
    .map((code) => `\`${code}\``)
    .join(", ");

function json(schema: Schema): string {
  const example = exampleOf(schema);
  return example === undefined ? "" : fence("json", JSON.stringify(example, null, 2));
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** The call with the body of the document's example, for a shell. */
function curl({ title, security, parameters, body }: Operation): string {
  const [method = "", path = ""] = title.split(" ");
  const given = parameters.filter((parameter) => parameter.in === "path");
  const url = given.reduce(
    (text, { name, schema }) => text.replace(`{${name}}`, String(schema.examples?.[0] ?? `${name.toUpperCase()}`)),
    `${DOCUMENT.servers[0]?.url}${path}`,
  );
  const key = security.some((one) => "public_key" in one) ? "$PK" : "$SK";
  const fields = body && JSON.stringify(exampleOf(body) ?? {}, null, 2);
  const parts = [
    `curl -s${method === "POST" && !fields ? " -X POST" : ""} ${url}`,
    security.length > 0 && `-H "Authorization: Bearer ${key}"`,
    fields && `-H "Content-Type: application/json"`,
    fields && `-d '${fields.replaceAll("'", "'\\''")}'`,
  ];
  return parts.filter(Boolean).join(" \\\n  ");
}
