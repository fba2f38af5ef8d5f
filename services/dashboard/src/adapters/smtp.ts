import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";

/** No attempt to send a mail takes longer, so that its lease has not ended when it does. */
const DEADLINE_MS = 60_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export type OutgoingMail = { to: string; subject: string; text: string; html: string; messageId: string };
export type Smtp = { send(mail: OutgoingMail): Promise<void>; close(): void };

/** The mail server. Outside this machine the connection is encrypted, whatever the server offers. */
export function connectSmtp({ MAIL_FROM, APP_URL }: Pick<Config, "MAIL_FROM" | "APP_URL">, url: string): Smtp {
  const { hostname } = new URL(APP_URL);
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    requireTLS: !LOOPBACK.test(new URL(url).hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (mail) => {
      const sent = transport.sendMail({ from: MAIL_FROM ?? `Collect <no-reply@${hostname}>`, ...mail });
      await withDeadline(sent);
    },
    close: () => transport.close(),
  };
}

function withDeadline<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timeout = setTimeout(() => reject(new Error("the mail server did not respond in time")), DEADLINE_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timeout));
}
