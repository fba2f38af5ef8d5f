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

const recorded: (Exchange | Notification)[] = readdirSync(DIRECTORY).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, DIRECTORY), "utf8")),
);

export const exchanges = recorded.filter((each): each is Exchange => "call" in each);
export const notifications = recorded.filter((each): each is Notification => "notification" in each);
