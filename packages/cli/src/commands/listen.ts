import { randomBytes } from "node:crypto";
import type { Event } from "@collect/sdk";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, contextOf } from "../context.ts";
import { lastSequence, startOf } from "../event-log.ts";
import { type Forwarded, forward } from "../forward.ts";
import { type From, from } from "../options.ts";
import { printLines } from "../print.ts";

type ListenOptions = { forwardTo?: URL; from?: From; secret: string };
/** `isNew`: the secret was made for this session. */
type Listening = ListenOptions & { isNew: boolean };

export function listenCommand(): Command {
  return new Command("listen")
    .description("print events as they are recorded, and forward them to a server, signed as deliveries are")
    .option("--forward-to <url>", "the server to send them to, such as http://localhost:3000/hook", parseUrl)
    .addOption(from())
    .addOption(
      new Option("--secret <secret>", "signs what is forwarded; one is made for the session if there is none")
        .env("WEBHOOK_SECRET")
        .argParser(parseSecret)
        .default(`whsec_${randomBytes(24).toString("base64")}`, "a new one"),
    )
    .action((options: ListenOptions, self: Command) =>
      listen(contextOf(self), { ...options, isNew: self.getOptionValueSource("secret") === "default" }),
    );
}

/** Until it is interrupted, or the log lacks an event. Each event is forwarded once, in order, whatever the server responds. */
async function listen(context: Context, { forwardTo, from, secret, isNew }: Listening): Promise<void> {
  const { collect, json } = context;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  let after_sequence = from ? await startOf(collect, from) : await lastSequence(collect);
  printLines(startLines(context, { forwardTo, newSecret: isNew ? secret : undefined, after_sequence }));
  for await (const event of collect.followEvents({ after_sequence, signal: ending.signal })) {
    const forwarded = forwardTo && (await forward(event, { to: forwardTo, secret, signal: ending.signal }));
    if (ending.signal.aborted) break;
    after_sequence = event.sequence;
    printLines([json ? JSON.stringify({ ...event, ...(forwarded && { forwarded }) }) : lineOf(event, forwarded)]);
  }
  if (!json) printLines([`To go on from here: --from ${after_sequence + 1}`]);
}

/** A secret that was given is not printed: it may be that of a webhook. */
type Start = { forwardTo: URL | undefined; newSecret: string | undefined; after_sequence: number };

function startLines({ mode, json }: Context, { forwardTo, newSecret, after_sequence }: Start): string[] {
  const secret = newSecret && { secret: newSecret };
  const start = { mode, from: after_sequence + 1, ...(forwardTo && { forward_to: forwardTo.href, ...secret }) };
  if (json) return [JSON.stringify({ listening: start })];
  const what = forwardTo
    ? [`Forwarding ${mode} events to ${forwardTo.href}`, ...(newSecret ? [`Signing secret: ${newSecret}`] : [])]
    : [`Listening to ${mode} events`];
  return [...what, `From event ${start.from} on. Ctrl-C ends.`];
}

export function lineOf({ sequence, created_at, event, reference }: Event, forwarded?: Forwarded): string {
  const line = `${sequence}  ${created_at}  ${event}  ${reference}`;
  if (!forwarded) return line;
  return `${line}  → ${forwarded.status ?? forwarded.error} (${forwarded.duration_ms} ms)`;
}

function parseSecret(text: string): string {
  if (!/^whsec_\S+$/.test(text)) throw new InvalidArgumentError("A signing secret begins with whsec_.");
  return text;
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new InvalidArgumentError("Give a complete URL, such as http://localhost:3000/hook.");
  return url;
}
