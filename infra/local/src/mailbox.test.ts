import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { freePort } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { startMailbox } from "./mailbox.ts";

const ENVELOPE = ["EHLO here", "MAIL FROM:<a@example.com>", "RCPT TO:<ada@example.com>"];

/** Writes each line once the one before is answered. */
async function dictate(port: number, lines: string[]): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  for (const line of lines) {
    await once(socket, "data");
    socket.write(`${line}\r\n`);
  }
  return socket;
}

/** Sends a mail as RFC 5321 says, line by line. */
async function sendMail(port: number, subject: string, text: string): Promise<void> {
  const data = `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n.`;
  await once(await dictate(port, [...ENVELOPE, "DATA", data, "QUIT"]), "close");
}

async function openMailbox() {
  const [smtpPort, port] = [await freePort(), await freePort()];
  const mailbox = await startMailbox({ MAILBOX_SMTP_PORT: smtpPort, MAILBOX_PORT: port });
  onTestFinished(mailbox.stop);
  return { smtpPort, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) };
}

test("every mail is shown, newest first, with links that can be followed and nothing that runs", async () => {
  const { smtpPort, get } = await openMailbox();
  expect(await (await get("/")).text()).toContain("No mail yet");
  await sendMail(smtpPort, "First", "Hello");
  await sendMail(smtpPort, "<script>alert(1)</script>", "Open http://localhost:4200/reset-password/x <b>now</b>");
  const { data } = Object(await (await get("/mails.json")).json());
  expect(data).toMatchObject([
    { number: 2, to: "ada@example.com" },
    { number: 1, subject: "First" },
  ]);
  const shown = await get("/mails/2");
  expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await shown.text();
  expect(html).toContain('<a href="http://localhost:4200/reset-password/x">');
  expect(html).not.toMatch(/<script>|<b>/);
  expect((await get("/mails/3")).status).toBe(404);
});

test("a client that dies in the middle of a mail ends its connection only", async () => {
  const { smtpPort, get } = await openMailbox();
  const socket = await dictate(smtpPort, [...ENVELOPE, "DATA"]);
  await once(socket, "data");
  socket.resetAndDestroy();
  await sendMail(smtpPort, "The next", "Hello");
  expect(await (await get("/mails.json")).json()).toMatchObject({ data: [{ number: 1, subject: "The next" }] });
});
