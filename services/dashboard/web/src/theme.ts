import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The shades of `--accent`, which the component library wants. Shade 7 is the token in the light theme, shade 3 in the dark one. */
const accent: MantineColorsTuple = [
  "#e8f7f1",
  "#d3ede2",
  "#a5dac4",
  "#74c7a5",
  "#4bb68a",
  "#31a878",
  "#1f8a60",
  "#0b6e4f",
  "#085a41",
  "#044632",
];

/** From text to the page, in the greys of the tokens: 4 edges, 6 is a card or an input, 7 the ground. */
const dark: MantineColorsTuple = [
  "#eef1f5",
  "#c9ced4",
  "#a6adb4",
  "#737d84",
  "#414a4e",
  "#2b3235",
  "#22282b",
  "#181c1f",
  "#121517",
  "#0f1214",
];

export const theme = createTheme({
  primaryColor: "accent",
  colors: { accent, dark },
  primaryShade: { light: 7, dark: 7 },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-mono)",
  defaultRadius: "md",
  headings: { fontWeight: "600" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: "always" } },
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 600 } },
    Modal: {
      defaultProps: { centered: true, closeOnClickOutside: false, closeButtonProps: { "aria-label": "Close" } },
    },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Text colors on tinted backgrounds, with a contrast of 4.5:1 in both color schemes. */
const TINTED = ["accent", "gray", "red", "orange", "yellow", "blue", "violet", "green"];
/** Colors whose darkest shade has too little contrast. */
const DEEPER: Record<string, string> = { yellow: "#7a3e00", orange: "#7a3e00", green: "#1b5e2c" };
const tinted = (shade: (color: string) => string) =>
  Object.fromEntries(TINTED.map((color) => [`--mantine-color-${color}-light-color`, shade(color)]));

/** The library's own properties are set to the tokens, which know both themes. */
const FROM_TOKENS = {
  "--mantine-color-body": "var(--card)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--quiet)",
  "--mantine-color-placeholder": "var(--quiet)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-default-border": "var(--line)",
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...FROM_TOKENS, ...tinted((color) => DEEPER[color] ?? `var(--mantine-color-${color}-9)`) },
  dark: {
    ...FROM_TOKENS,
    // That of a card, on which a button is hardly seen in `--line`.
    "--mantine-color-default-border": "var(--mantine-color-dark-4)",
    ...tinted((color) => `var(--mantine-color-${color}-2)`),
  },
});
