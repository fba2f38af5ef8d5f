import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { PersonActs, PersonReads } from "@collect/dashboard";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { ActPath, ActResponse, ReadPath, ReadResponse } from "../src/api/calls.ts";

export const MERCHANT = "mer_1";

/** A received call: its path below `/api`, and its query or body. */
export type Sent = { method: string; path: string; fields: Record<string, unknown> };
type Answer = (sent: Sent, response: ServerResponse, request: IncomingMessage) => unknown;
type Refusal = { status: number; code: string; detail?: string; errors?: object[]; request_id?: string };
type Given<Response> = Response | ((sent: Sent) => Response | Promise<Response>);

/**
 * An HTTP server for the tests of a file. Its responses have the types of the declared calls; a call without a
 * configured response gets a 404 that says so.
 */
export function useServer() {
  const answers = new Map<string, Answer>();
  const sent: Sent[] = [];
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
    const path = pathname.replace(/^\/api\//, "");
    const text = (await request.toArray()).join("");
    const fields = { ...Object.fromEntries(searchParams), ...(text ? JSON.parse(text) : {}) };
    const call = { method: request.method ?? "", path, fields };
    sent.push(call);
    const [, answer] = [...answers].find(([pattern]) => matches(pattern, `${call.method} ${path}`)) ?? [];
    const body = await (answer ?? noResponse)(call, response, request);
    if (!response.headersSent && !response.destroyed) response.setHeader("content-type", "application/json");
    if (!response.writableEnded && !response.destroyed && body !== undefined) response.end(JSON.stringify(body));
  }

  function answer(method: string, path: string, given: Answer): void {
    answers.delete(`${method} ${path}`);
    answers.set(`${method} ${path}`, given);
  }

  useFetchTo(server);
  afterEach(() => {
    answers.clear();
    sent.length = 0;
  });

  return {
    sent,
    /** The fields of every call of a path, in order: `POST m/mer_1/test/transfers`. */
    fieldsOf: (call: string) =>
      sent.filter(({ method, path }) => matches(call, `${method} ${path}`)).map((one) => one.fields),
    reads: <Path extends ReadPath>(path: Path, given: Given<ReadResponse<Path>>, mode = "test") =>
      answer("GET", `m/${MERCHANT}/${mode}/${path}`, value(given)),
    acts: <Path extends ActPath>(path: Path, given: Given<ActResponse<Path>>, mode = "test") =>
      answer("POST", `m/${MERCHANT}/${mode}/${path}`, value(given)),
    personReads: <Path extends keyof PersonReads>(path: Path, given: Given<PersonReads[Path]["output"]>) =>
      answer("GET", path, value(given)),
    personActs: <Path extends keyof PersonActs>(path: Path, given: Given<PersonActs[Path]["output"]>) =>
      answer("POST", path, value(given)),
    /** Refuses a call, once or permanently. */
    refuses(method: "GET" | "POST", path: string, { status, ...problem }: Refusal) {
      answer(method, path, (_call, response) => {
        response.statusCode = status;
        return { type: "about:blank", title: "Refused", status, detail: "It was refused.", ...problem };
      });
    },
    /** Any other behavior of a server. */
    answers: answer,
  };
}
/** Sends every fetch of the file's tests to this server, which listens as long as they run. */
function useFetchTo(server: Server): void {
  const nodeFetch = globalThis.fetch;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    if (!address || typeof address === "string") throw new Error("the server has no port");
    // A browser resolves a URL against its page's, Node does not.
    globalThis.fetch = (input, init) => nodeFetch(new URL(String(input), `http://127.0.0.1:${address.port}`), init);
  });
  afterAll(async () => {
    globalThis.fetch = nodeFetch;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
}

/** A response is data, never a function. */
const value =
  <Response>(given: Given<Response>): Answer =>
  (call) =>
    given instanceof Function ? given(call) : given;

export type TestServer = ReturnType<typeof useServer>;

function matches(pattern: string, call: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(call);
}

const noResponse: Answer = (call, response) => {
  response.statusCode = 404;
  return { code: "not_found", detail: `The test server has no response for ${call.method} ${call.path}.` };
};
