import { connect } from "node:net";
import { freePort } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { startMailbox } from "./mailbox.ts";

/** Sends a mail as RFC 5321 says, line by line. */
async function sendMail(port: number, subject: string, text: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  const lines = ["EHLO here", "MAIL FROM:<a@example.com>", "RCPT TO:<ada@example.com>", "DATA"];
  const data = `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n.`;
  for (const line of [...lines, data, "QUIT"]) {
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write(`${line}\r\n`);
  }
  await new Promise((resolve) => socket.once("close", resolve));
}

test("every mail is shown, newest first, with links that can be followed and nothing that runs", async () => {
  const [smtpPort, port] = [await freePort(), await freePort()];
  const mailbox = await startMailbox({ MAILBOX_SMTP_PORT: smtpPort, MAILBOX_PORT: port });
  onTestFinished(mailbox.stop);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
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
