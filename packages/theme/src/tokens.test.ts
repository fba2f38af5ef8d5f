import { expect, test } from "vitest";
import { colors, tokens } from "./index.ts";

const GROUNDS = ["--ground", "--card", "--soft"];
/** Each text with the grounds that it is read on. */
const READ_ON: Record<string, string[]> = {
  "--ink": GROUNDS,
  "--quiet": GROUNDS,
  "--accent": [...GROUNDS, "--accent-soft"],
  "--good": [...GROUNDS, "--good-soft"],
  "--attention": [...GROUNDS, "--attention-soft"],
  "--bad": [...GROUNDS, "--bad-soft"],
  "--on-accent": ["--accent"],
  "--on-test": ["--test"],
};
const SEEN_ON: Record<string, string[]> = { "--edge": GROUNDS, "--focus": GROUNDS, "--attention-line": ["--card"] };

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function luminance(name: string, theme: Theme): number {
  const hex = colors.find((color) => color.name === name)?.[theme];
  if (!hex || !/^#[0-9a-f]{6}$/.test(hex)) throw new Error(`${name} has no color`);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [less = 0, more = 0] = [luminance(one, theme), luminance(other, theme)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

/** The pairs with too little contrast. */
const faint = (pairs: Record<string, string[]>, least: number) =>
  THEMES.flatMap((theme) =>
    Object.entries(pairs).flatMap(([front, grounds]) =>
      grounds
        .filter((ground) => contrast(front, ground, theme) < least)
        .map((ground) => `${front} on ${ground}, ${theme}: ${contrast(front, ground, theme).toFixed(2)}`),
    ),
  );

test("text can be read on its grounds in both themes, and edges can be seen", () => {
  expect(faint(READ_ON, 4.5)).toEqual([]);
  expect(faint(SEEN_ON, 3)).toEqual([]);
});

test("a browser without light-dark() has every color in both themes", () => {
  const [light = "", dark = ""] = tokens.split("@media (prefers-color-scheme: dark)");
  expect(tokens).not.toMatch(/: light-dark/);
  expect(colors.length).toBeGreaterThan(15);
  for (const color of colors) {
    expect(light).toContain(`${color.name}: ${color.light};`);
    expect(dark).toContain(`${color.name}: ${color.dark};`);
  }
});
