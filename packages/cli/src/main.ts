#!/usr/bin/env node
import { CollectError } from "@collect/sdk";
import { CommanderError } from "commander";
import { createProgram } from "./program.ts";

/** Exits with 0; with 1 if the API or the network refused, or events are missing; with 2 if the command was not understood. */
const program = createProgram();
// The reader has ended, as in `| head`: that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
await program.parseAsync().catch((error: unknown) => {
  process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : 1;
  if (!(error instanceof CommanderError)) process.stderr.write(`${described(error, program.opts().json)}\n`);
});

/** The API's own words; with --json as one line of JSON. */
function described(error: unknown, json: boolean | undefined): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const {
    status = null,
    code = "failed",
    detail = message,
    requestId = null,
  } = error instanceof CollectError ? error : {};
  if (json) return JSON.stringify({ error: { status, code, detail, request_id: requestId, message } });
  return requestId === null ? message : `${message} (request ${requestId})`;
}
