import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** One accent, one grey scale, the system's own type. Shade 7 has a contrast of 4.5:1 on white, shade 3 on the dark background. */
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

export const theme = createTheme({
  primaryColor: "accent",
  colors: { accent },
  primaryShade: { light: 7, dark: 7 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: "md",
  headings: { fontWeight: "600" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: "always" } },
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 600 } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { "aria-label": "Close" } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Text colors on tinted backgrounds, with a contrast of 4.5:1 in both color schemes. */
const TINTED = ["accent", "gray", "red", "orange", "yellow", "blue", "violet", "green"];
/** Colors whose darkest shade has too little contrast. */
const DEEPER: Record<string, string> = { yellow: "#7a3e00", orange: "#7a3e00", green: "#1b5e2c" };
const tinted = (shade: (color: string) => string) =>
  Object.fromEntries(TINTED.map((color) => [`--mantine-color-${color}-light-color`, shade(color)]));

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#50575e",
    "--mantine-color-placeholder": "#6b7278",
    "--mantine-color-error": "#b42318",
    "--mantine-color-anchor": "var(--mantine-color-accent-8)",
    ...tinted((color) => DEEPER[color] ?? `var(--mantine-color-${color}-9)`),
  },
  dark: {
    "--mantine-color-dimmed": "#a6adb4",
    "--mantine-color-placeholder": "#a6adb4",
    "--mantine-color-error": "#ff8a80",
    "--mantine-color-anchor": "var(--mantine-color-accent-3)",
    ...tinted((color) => `var(--mantine-color-${color}-2)`),
  },
});
