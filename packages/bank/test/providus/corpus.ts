import { readdirSync, readFileSync } from "node:fs";

const DIRECTORY = new URL("../corpus/providus/", import.meta.url);

type About = { name: string; about: string };
/** A call of the port, the request that it must become, the answer to that, and what the port makes of it. */
export type Exchange = About & {
  call: "openAccount" | "renameAccount" | "confirm" | "nameOf" | "pay" | "enquire";
  arguments: Record<string, string | null>;
  request: { method: string; path: string; body?: Record<string, string> };
  response: { status: number; body: string };
  outcome: { value: unknown } | { problem: string };
};
/** What the bank posts to the door, and the transfer that it claims. */
export type Notification = About & {
  notification: { signature: "capitals" | "lower case"; body: string };
  report: Record<string, unknown>;
};

const files: (Exchange | Notification)[] = readdirSync(DIRECTORY).map((file) => ({
  name: file.replace(".json", ""),
  ...JSON.parse(readFileSync(new URL(file, DIRECTORY), "utf8")),
}));

export const exchanges = files.filter((file): file is Exchange => "call" in file);
export const notifications = files.filter((file): file is Notification => "notification" in file);

/** As in the files: amounts are kobo in text. Null for undefined. */
export const asInFile = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_key, part) => (typeof part === "bigint" ? part.toString() : part)));
