import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brandColors, CONTRAST_MIN, contrastOf, GROUNDS } from "./brand-colors.ts";

const css = readFileSync(new URL("../page/browser/page.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split("prefers-color-scheme: dark");
const token = (theme: string, name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)?.[1] ?? "";

/** Grays, primaries, pastels and neon: 729 colors over the whole cube. */
const LEVELS = ["00", "20", "40", "60", "80", "a0", "c0", "e0", "ff"];
const COLORS = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)));

test("a merchant's color leaves every text legible, in both themes and on every ground of the page", () => {
  for (const color of COLORS) {
    const colors = brandColors(color);
    if (!colors) throw new Error(`${color} was refused`);
    expect(contrastOf(colors.brand, colors.onBrand), color).toBeGreaterThanOrEqual(CONTRAST_MIN);
    for (const [theme, accent] of [
      [light, colors.accent.light],
      [dark, colors.accent.dark],
    ] as const)
      for (const ground of ["card", "soft", "ground", "attention-ground"])
        expect(contrastOf(accent, token(theme, ground)), `${color} on ${ground}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
  }
});

test("the ground that colors are fitted to is the page's own", () => {
  expect(GROUNDS).toEqual({ light: token(light, "soft"), dark: token(dark, "soft") });
});

test("a legible color is kept as it is", () => {
  expect(brandColors("#0B57D0")).toMatchObject({ brand: "#0b57d0", onBrand: "#ffffff", accent: { light: "#0b57d0" } });
  expect(brandColors("#ffcc00")).toMatchObject({ brand: "#ffcc00", onBrand: "#000000", accent: { dark: "#ffcc00" } });
});

test("anything but a color of six digits is no color", () => {
  for (const color of [null, undefined, "", "red", "#fff", "#12345g", "#123456}body{display:none", "url(#123456)"])
    expect(brandColors(color)).toBe(undefined);
});
