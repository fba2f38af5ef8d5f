import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Answer, Gateway } from "./gateway.ts";

/** The response to raw bytes on a socket. */
export async function speak(gateway: Gateway, bytes: string): Promise<Answer> {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.write(bytes);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const [name = "", value = ""] = field.split(/: (.*)/s);
      return [name, value];
    }),
  );
  return { status: Number(line.split(" ")[1]), headers, text: body, body: JSON.parse(body) };
}

/** The complete head of a request. */
export const head = (line: string, ...fields: string[]) =>
  [`${line} HTTP/1.1`, "Host: gateway", "Connection: close", ...fields, "", ""].join("\r\n");

/** A request whose body starts and never ends. */
export const drip = (path: string, key?: string) =>
  `${head(
    `POST /v1${path}`,
    ...(key ? [`Authorization: Bearer ${key}`] : []),
    "Content-Type: application/json",
    "Content-Length: 100",
  )}{"amo`;
