/** The colors of a page that carries a merchant's color: legible in both themes, whatever the merchant chose. */
export type BrandColors = {
  /** Grounds of buttons and of the mark: the merchant's color itself, with black or white on it. */
  brand: string;
  onBrand: string;
  /** For text on the page: the merchant's color, darkened or lightened as far as it takes. */
  accent: { light: string; dark: string };
};

/** The ground of each theme with the least contrast: `--soft` and `--attention-soft` of @collect/theme. */
export const GROUNDS = { light: "#eef2f0", dark: "#33260c" };
/** Of text, by WCAG 2.2 AA. */
export const CONTRAST_MIN = 4.5;
const STEPS = 50;

type Rgb = [red: number, green: number, blue: number];
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Undefined for anything but `#rrggbb`: it becomes part of a style. */
export function brandColors(color: string | null | undefined): BrandColors | undefined {
  if (!color || !/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const brand = rgbOf(color);
  return {
    brand: hexOf(brand),
    // One of the two always has a contrast of at least 4.58.
    onBrand: contrast(brand, WHITE) >= contrast(brand, BLACK) ? "#ffffff" : "#000000",
    accent: {
      light: legible(brand, { ground: rgbOf(GROUNDS.light), towards: BLACK }),
      dark: legible(brand, { ground: rgbOf(GROUNDS.dark), towards: WHITE }),
    },
  };
}

/** The contrast of two colors `#rrggbb`, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => contrast(rgbOf(one), rgbOf(other));

function legible(color: Rgb, { ground, towards }: { ground: Rgb; towards: Rgb }): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, towards, step / STEPS);
    if (contrast(mixed, ground) >= CONTRAST_MIN) return hexOf(mixed);
  }
  return hexOf(towards);
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
};

/** By WCAG's relative luminance. */
function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function rgbOf(hex: string): Rgb {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

const hexOf = (channels: Rgb): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
