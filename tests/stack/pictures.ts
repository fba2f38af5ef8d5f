import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { fixWhatVaries } from "./fixed-text.ts";
import { ROOT } from "./service.ts";

/** Screenshots compared with recorded ones, so that a page does not change its looks unnoticed. */

export const PICTURES = join(ROOT, "tests/browser/pictures");
/** Where the screenshot that differs is left, and beside it the differing pixels. */
const DIFFERING = join(ROOT, ".cache/pictures");
export const isRecording = process.env.PICTURES === "record";

/** Builds of Chromium do not differ at all: 150 and 153 were compared. A moved button differs by more. */
const DIFFERING_MAX = 60;
/** Of a pixel's color, from 0 to 1: what `pixelmatch` recommends. */
const THRESHOLD = 0.1;
const PATIENCE_MS = 3_000;

/** Only the tests load it: a machine's own fonts differ, and may lack the naira sign. */
const FONT = ["latin", "latin-ext"].map((subset) =>
  readFile(
    createRequire(import.meta.url).resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`),
  ),
);
const RANGES = ["U+0000-00FF,U+2000-206F,U+2190-2193", "U+0100-02FF,U+20A0-20C0"];

/** Text in the tests' font. The page's own content security policy must be off: `bypassCSP`. */
export async function useTestFont(page: Page): Promise<void> {
  const faces = (await Promise.all(FONT)).map(
    (file, index) => `@font-face { font-family: Pictures; font-weight: 100 900; unicode-range: ${RANGES[index]};
      src: url(data:font/woff2;base64,${file.toString("base64")}) format("woff2"); }`,
  );
  // Precise, so that the width of a text does not depend on how a build of Chromium rounds the widths of letters.
  const all =
    "*, *::before, *::after { font-family: Pictures !important; text-rendering: geometricPrecision !important; }";
  await page.addStyleTag({ content: `${faces.join("\n")}\n${all}` });
  await page.evaluate(
    'Promise.all(["400", "600", "700"].map((weight) => document.fonts.load(weight + " 16px Pictures", "a₦")))',
  );
}

/** What differs between the page and its recorded picture, or undefined. With `PICTURES=record` the page is recorded instead. */
export async function differenceFromPicture(page: Page, name: string): Promise<string | undefined> {
  if (isRecording) return record(page, name);
  // The page may still be receiving what it shows.
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const compared = await compareOnce(page, name);
    if (!compared) return `${name} is not recorded: npm run screenshots`;
    if (!compared.isDifferent) return;
    if (performance.now() > end) return describeDifference(name, compared);
  }
}

type Pixels = { data: Uint8ClampedArray; width: number; height: number };
type Compared = { recorded: Pixels; taken: Pixels; count: number; isDifferent: boolean };

export async function compareOnce(page: Page, name: string): Promise<Compared | undefined> {
  const path = pathOf(name);
  if (!existsSync(path)) return;
  const [recorded, taken] = await Promise.all([pixelsOf(await readFile(path)), take(page).then(pixelsOf)]);
  const count = countDiffering(recorded, taken);
  return { recorded, taken, count, isDifferent: count > DIFFERING_MAX };
}

const pathOf = (name: string) => join(PICTURES, `${name}.png`);

async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height };
}

async function take(page: Page): Promise<Buffer> {
  await fixWhatVaries(page);
  return page.screenshot({ animations: "disabled", mask: [page.locator("img[src*='code.svg']")] });
}

/** Once the page has stopped changing. In 32 colors, which the comparison takes for the same, it is a third as large. */
async function record(page: Page, name: string): Promise<undefined> {
  let last = await take(page);
  for (let next = await take(page); !next.equals(last); next = await take(page)) last = next;
  await mkdir(PICTURES, { recursive: true });
  await sharp(last).png({ palette: true, colours: 32, dither: 0, effort: 7 }).toFile(pathOf(name));
}

function countDiffering(one: Pixels, other: Pixels, diff?: Uint8ClampedArray): number {
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return Infinity;
  return pixelmatch(one.data, other.data, diff, width, height, { threshold: THRESHOLD });
}

async function describeDifference(name: string, { recorded, taken, count }: Compared): Promise<string> {
  const diff = { ...recorded, data: new Uint8ClampedArray(recorded.data.length) };
  countDiffering(recorded, taken, diff.data);
  await mkdir(DIFFERING, { recursive: true });
  await write(taken, join(DIFFERING, `${name}.png`));
  await write(diff, join(DIFFERING, `${name}.diff.png`));
  return `${name}: ${count} pixels differ: see .cache/pictures/${name}.diff.png; if it is meant, npm run screenshots`;
}

const write = ({ data, width, height }: Pixels, path: string) =>
  sharp(data, { raw: { width, height, channels: 4 } }).toFile(path);
