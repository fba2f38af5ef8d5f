import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { REQUESTS, SERVICES } from "./index.ts";
import type { JsonSchema } from "./json-schema.ts";
import { type RecordedRequests, recordOf } from "./last-release.ts";

/** The schemas that are stored in the repository: of events as they are, of requests as the last release declared them. */
const FOLDER = new URL("../schemas/", import.meta.url);
const LAST_RELEASE = new URL("last-release/", FOLDER);

export async function readEvents(): Promise<Record<string, JsonSchema>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".json"));
  const read = files.map(
    async (file) => [file.replace(/\.json$/, ""), await readJson<JsonSchema>(FOLDER, file)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

export const writeEvent = (subject: string, schema: JsonSchema) =>
  writeFile(new URL(`${subject}.json`, FOLDER), `${JSON.stringify(schema, null, 2)}\n`);

export async function readLastRelease(): Promise<RecordedRequests> {
  const files = SERVICES.map((service) => readJson<RecordedRequests>(LAST_RELEASE, `${service}.json`));
  return Object.assign({}, ...(await Promise.all(files)));
}

/** Makes this commit the last release: a line for each request. */
export async function writeLastRelease(commit: string): Promise<void> {
  await mkdir(LAST_RELEASE, { recursive: true });
  await writeFile(new URL("commit", LAST_RELEASE), `${commit}\n`);
  for (const service of SERVICES) {
    const requests = REQUESTS.filter(({ to }) => to === service);
    const lines = requests.map((request) => `${JSON.stringify(request.subject)}: ${JSON.stringify(recordOf(request))}`);
    await writeFile(new URL(`${service}.json`, LAST_RELEASE), `{\n${lines.join(",\n")}\n}\n`);
  }
}

async function readJson<Content>(folder: URL, file: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(file, folder), "utf8"));
}
