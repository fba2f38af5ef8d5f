import { readFileSync } from "node:fs";

const source = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

const PAIR = /(--[\w-]+): light-dark\((#\w+|rgb\([^)]*\)), (#\w+|rgb\([^)]*\))\)/g;

/** A color in each theme. */
export type Pair = { name: string; light: string; dark: string };
export const colors: Pair[] = [...source.matchAll(PAIR)].map(([, name = "", light = "", dark = ""]) => ({
  name,
  light,
  dark,
}));

/**
 * `tokens.css` for browsers without light-dark(), such as those of phones that are no longer updated: the light theme, and the
 * dark one where the person prefers it.
 */
export const tokens: string = `${source.replaceAll(PAIR, "$1: $2")}
@media (prefers-color-scheme: dark) {
  :root {
${colors.map(({ name, dark }) => `    ${name}: ${dark};`).join("\n")}
  }
}
`;
