import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { freePort } from "@collect/servers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { until } from "./until.ts";

export type ReceivedMail = { to: string; from: string; subject: string; text: string; html: string; messageId: string };

/** A mail server of the internet, as the dashboard reaches it over SMTP. It refuses, or says nothing, when told to. */
export async function openMailbox() {
  const mails: ReceivedMail[] = [];
  let refusal: { code: number; text: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onRcptTo: (_address, _session, callback) =>
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
    onData: (stream, session, callback) => {
      void buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(
          ({ subject = "", text = "", html = "", messageId = "", from }) => {
            const to = session.envelope.rcptTo.map(({ address }) => address).join();
            mails.push({ to, subject, text, html, messageId, from: from?.address ?? "" });
            callback();
          },
          (error: Error) => callback(error),
        );
    },
  });
  // Tests kill the client in the middle of a mail.
  server.on("error", () => {});
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Refuses every recipient until called without one. */
    refuse: (given?: typeof refusal) => {
      refusal = given;
    },
    /** The mails to an address, once there are as many with this subject. */
    untilMailed: (to: string, subject: string, count = 1) =>
      until(`"${subject}" to ${to}`, () => {
        const found = mails.filter((mail) => mail.to === to && mail.subject === subject);
        return found.length >= count && found;
      }),
    subjectsTo: (to: string) => mails.filter((mail) => mail.to === to).map(({ subject }) => subject),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The token in a mail's link. */
export const tokenIn = (mail: ReceivedMail | undefined) => /\/([A-Za-z0-9_-]{43})\b/.exec(mail?.text ?? "")?.[1] ?? "";
