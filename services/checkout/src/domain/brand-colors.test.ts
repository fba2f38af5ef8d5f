import { colors } from "@collect/theme";
import { expect, test } from "vitest";
import { brandColors, CONTRAST_MIN, contrastOf, GROUNDS } from "./brand-colors.ts";

/** In a theme, a color that the page's style is made of. */
const token = (theme: "light" | "dark", name: string) =>
  colors.find((color) => color.name === `--${name}`)?.[theme] ?? "";

/** Grays, primaries, pastels and neon: 729 colors over the whole cube. */
const LEVELS = ["00", "20", "40", "60", "80", "a0", "c0", "e0", "ff"];
const COLORS = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)));

test("a merchant's color leaves every text legible, in both themes and on every ground of the page", () => {
  for (const color of COLORS) {
    const brand = brandColors(color);
    if (!brand) throw new Error(`${color} was refused`);
    expect(contrastOf(brand.brand, brand.onBrand), color).toBeGreaterThanOrEqual(CONTRAST_MIN);
    for (const [theme, accent] of [
      ["light", brand.accent.light],
      ["dark", brand.accent.dark],
    ] as const)
      for (const ground of ["card", "soft", "ground", "attention-soft"])
        expect(contrastOf(accent, token(theme, ground)), `${color} on ${ground}`).toBeGreaterThanOrEqual(CONTRAST_MIN);
  }
});

test("the ground that colors are fitted to is the page's own", () => {
  expect(GROUNDS).toEqual({ light: token("light", "soft"), dark: token("dark", "attention-soft") });
});

test("a legible color is kept as it is", () => {
  expect(brandColors("#0B57D0")).toMatchObject({ brand: "#0b57d0", onBrand: "#ffffff", accent: { light: "#0b57d0" } });
  expect(brandColors("#ffcc00")).toMatchObject({ brand: "#ffcc00", onBrand: "#000000", accent: { dark: "#ffcc00" } });
});

test("anything but a color of six digits is no color", () => {
  for (const color of [null, undefined, "", "red", "#fff", "#12345g", "#123456}body{display:none", "url(#123456)"])
    expect(brandColors(color)).toBe(undefined);
});
