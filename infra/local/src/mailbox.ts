import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail that the product has sent to anybody. */
export type KeptMail = { number: number; at: string; to: string; subject: string; text: string; html: string };

const KEPT_MAX = 500;
const SIZE_MAX = 1_000_000;

/**
 * The mail server of the local stack: it delivers nothing and shows every mail. `GET /` is the list, `GET /mails/1` a mail,
 * `GET /mails.json` all of them, newest first.
 */
export async function startMailbox(ports: { MAILBOX_SMTP_PORT: number; MAILBOX_PORT: number }) {
  const mails: KeptMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    size: SIZE_MAX,
    logger: false,
    onData: (stream, session, callback) => {
      const keep = async () => {
        const { subject = "", text = "", html = "" } = await PostalMime.parse(await buffer(stream));
        const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
        const number = (mails[0]?.number ?? 0) + 1;
        mails.unshift({ number, at: new Date().toISOString(), to, subject, text, html });
        mails.splice(KEPT_MAX);
      };
      void keep().then(
        () => callback(),
        (error: Error) => callback(error),
      );
    },
  });
  // A client that dies in the middle of a mail; without a listener it would end this process.
  smtp.on("error", (error) => console.warn(`the mailbox received only part of a mail: ${error.message}`));
  const web = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://mailbox");
    if (pathname === "/mails.json") return send(response, "application/json", JSON.stringify({ data: mails }));
    if (pathname === "/") return send(response, "text/html", listPage(mails));
    const mail = mails.find(({ number }) => pathname === `/mails/${number}`);
    if (mail) return send(response, "text/html", mailPage(mail));
    response.writeHead(404).end("There is no such mail.");
  });
  smtp.listen(ports.MAILBOX_SMTP_PORT, "127.0.0.1");
  web.listen(ports.MAILBOX_PORT, "127.0.0.1");
  await Promise.all([once(smtp.server, "listening"), once(web, "listening")]);
  return {
    stop: async () => {
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise((resolve) => web.close(resolve)),
      ]);
    },
  };
}

/** A mail is content of others: nothing in it runs, and nothing is loaded for it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'";

function send(response: ServerResponse, type: string, body: string): void {
  const headers = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(200, { ...headers, "content-type": `${type}; charset=utf-8` }).end(body);
}

const listPage = (mails: KeptMail[]) =>
  page(
    "Mails",
    mails.length === 0
      ? "<p>No mail yet. Sign up, invite a member or reset a password on the dashboard.</p>"
      : `<ul>${mails.map(line).join("")}</ul>`,
    // So that a mail appears without a key.
    '<meta http-equiv="refresh" content="3">',
  );

const line = ({ number, at, to, subject }: KeptMail) =>
  `<li><a href="/mails/${number}"><strong>${escaped(subject)}</strong></a><br>to ${escaped(to)}, <time>${at}</time></li>`;

/** Its text, in which links can be followed. */
const mailPage = ({ subject, to, at, text }: KeptMail) =>
  page(
    subject,
    `<p><a href="/">All mails</a></p><p>to ${escaped(to)}, <time>${at}</time></p><pre>${linked(escaped(text))}</pre>`,
  );

const linked = (text: string) => text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);

function page(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}
<title>${escaped(title)}</title><style>${STYLE}</style></head><body><h1>${escaped(title)}</h1>${body}</body></html>`;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
ul{list-style:none;padding:0}li{padding:12px 0;border-top:1px solid #8884}pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}a{color:light-dark(#0b6e4f,#74c7a5)}`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
