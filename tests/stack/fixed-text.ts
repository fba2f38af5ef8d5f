import type { Page } from "playwright-core";

/** What differs from run to run in the text of a page, and what a picture shows instead, of the same length. */
const FIXED: [RegExp, string][] = [
  [/\b([a-z]+_(?:test_|live_)?)[0-9A-Za-z]{16,}/g, "$17Yk3pQ2mVd9sRw4tXb6nLc"],
  [/\b(last used \d+ \w+ ago|last used just now|never used)/g, "last used 3 minutes ago"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:4000"],
  [/\d\d:\d\d:\d\d\.\d{3}/g, "09:30:00.120"],
  [/\d\d:\d\d:\d\d/g, "09:30:00"],
  [/\b\d\d:\d\d\b/g, "09:30"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, "Mon"],
  [/\b\d{1,2} [A-Z][a-z]{2}[a-z]* \d{4}/g, "5 March 2026"],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/g, "5 Mar"],
  [/\bin (a moment|\d+ (minute|hour|day)s?)|tomorrow/g, "in 3 hours"],
  [/just now|\b\d+ (second|minute)s? ago/g, "3 minutes ago"],
  [/\b\d+(\s)(ms|min|s)\b/g, "18$1$2"],
  [/\b\d:\d\d\b/g, "0:18"],
  [/\.\d\d\b/g, ".73"],
  [/\b\d{10}\b/g, "0123456789"],
  [/\b\d{3} \d{3} \d{4}\b/g, "012 345 6789"],
];

/**
 * Times, references, account numbers and the kobo that the server chooses become the same on every run; the digits of the
 * checkout's account number and the end of a masked key are texts of their own. The countdown stops.
 */
export function fixWhatVaries(page: Page): Promise<void> {
  const rules = FIXED.map(([{ source, flags }, fixed]) => [source, flags, fixed]);
  return page.evaluate(`(() => {
    const rules = ${JSON.stringify(rules)}.map(([source, flags, fixed]) => [new RegExp(source, flags), fixed]);
    const fix = (text) => {
      if (text.parentElement.closest(".number")) return "0123456789".slice(0, text.data.length);
      if (text.previousSibling?.data === "…") return "Xb6n";
      return rules.reduce((sofar, [pattern, fixed]) => sofar.replace(pattern, fixed), text.data);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const fixed = fix(text);
      if (fixed !== text.data) text.data = fixed;
    }
    for (const element of document.querySelectorAll("[data-until], [data-since]")) {
      delete element.dataset.until;
      delete element.dataset.since;
    }
  })()`);
}
