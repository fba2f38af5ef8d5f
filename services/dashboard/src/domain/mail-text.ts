import { z } from "zod";

/** What every mail's text is made of. */

/** A text in paragraphs; the button's link is also written out, for readers without HTML. */
export type MailText = { subject: string; paragraphs: string[]; button?: { label: string; path: string } };

/** One kind of mail: the data it needs, and its text. Throws if the data are not those of the kind. */
export function mail<Detail extends z.ZodType>(detail: Detail, write: (detail: z.output<Detail>) => MailText) {
  return (given: unknown): MailText => write(detail.parse(given));
}

/** When something was done and, where that is known, from where. */
export const Happened = z.object({ at: z.string(), ip: z.string().nullish(), device: z.string().nullish() });

/** `on 22 November 2026 at 10:30, Lagos time, from Chrome on Android (102.89.1.2)` */
export function happened({ at, ip, device }: z.output<typeof Happened>): string {
  const place = device && ip ? `${device} (${ip})` : (device ?? ip);
  return `on ${timeOf(at)}${place ? `, from ${unlinked(place)}` : ""}`;
}

/** In Lagos time, as everywhere in the dashboard. */
export function timeOf(at: string): string {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" } as const;
  return `${new Intl.DateTimeFormat("en-GB", format).format(new Date(at))}, Lagos time`;
}

/** A name that another person chose: a mail program must not turn it into a link. */
export function unlinked(name: string): string {
  return name
    .replaceAll(/:\/\//g, " ")
    .replaceAll(/\.(?=[^\s\d])/g, ". ")
    .replaceAll("@", " at ");
}
