/**
 * Spreadsheets read text that begins with one of these characters, or its full-width form, as a formula. Some first trim
 * invisible characters: spaces of any width, control characters, direction marks and zero-width characters.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹢﹣﹦﹫−]|^[\t\r\n]/u;

/** Prefixes text that looks like a formula with an apostrophe, which marks a cell as text. */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
