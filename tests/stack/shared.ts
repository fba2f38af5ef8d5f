import { type Stack, startStack } from "../stack.ts";

let started: Promise<Stack> | undefined;

/**
 * One stack for all files of a worker that leave it as they found it: each makes merchants of its own, and starts again what it
 * kills. Starting a stack takes longer than most of them. It ends with the worker, like everything that `startChild` starts.
 */
export async function sharedStack(): Promise<Stack> {
  started ??= startStack();
  const stack = await started;
  stack.receiver.received.length = 0;
  stack.receiver.behave((response) => void response.end("ok"));
  return stack;
}
