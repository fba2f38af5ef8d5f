import type { MailText } from "./mail-text.ts";
import { sha256 } from "./token.ts";

/** The text and the HTML of a mail, from its paragraphs. */
export function messageOf({ paragraphs, button }: MailText, appUrl: string): { text: string; html: string } {
  const url = button && `${appUrl}${button.path}`;
  const lines = [...paragraphs, ...(button ? [`${button.label}:\n${url}`] : []), `Collect\n${appUrl}`];
  const link = button && url && `<p><a href="${escaped(url)}" style="${BUTTON}">${escaped(button.label)}</a></p>`;
  const body = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join("\n");
  return {
    text: `${lines.join("\n\n")}\n`,
    html: `<!doctype html><html lang="en"><body style="${BODY}">\n${body}\n${link ?? ""}\n<p style="color:#666">Collect</p>\n</body></html>\n`,
  };
}

const BODY = "font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:36rem;margin:0 auto;padding:24px";
const BUTTON = "display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6e4f;color:#fff";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** The same for every attempt, so that a mail that is sent again after a crash can be recognized as the same one. */
export function messageId({ occasion, recipient }: { occasion: string; recipient: string }, appUrl: string): string {
  return `<${sha256(`${occasion} ${recipient}`).toString("hex").slice(0, 40)}@${new URL(appUrl).hostname}>`;
}
