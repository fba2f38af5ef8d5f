import { BANKS } from "@collect/bank";

/**
 * Letters of other scripts, and signs, that look like a Latin letter. From the most used of Unicode's confusables (UTS #39), as
 * far as they survive NFKD and lower case: accents, full-width and mathematical letters need no entry.
 */
const LOOK_ALIKES: Record<string, string> = {
  a: "аαɑ4@",
  b: "ьвƅβ8ß",
  c: "сϲᴄ¢",
  d: "ԁɗđ",
  e: "еҽєəɛ3€",
  f: "ƒ",
  g: "ɡց9",
  h: "һհнħ",
  k: "кκ",
  l: "1|ⅼӏіιɩıїiǀ!׀łј",
  m: "мⅿ",
  n: "пոηŋɲ",
  o: "оοσ0օøө",
  p: "рρþ",
  q: "ԛգ",
  r: "гʀɾ",
  s: "ѕʂ5$",
  t: "тτŧ7",
  u: "υսʋ",
  v: "ѵν",
  w: "ԝωѡɯ",
  x: "хχ×",
  y: "уүγʏ",
  z: "ᴢʐ2",
};
/** Greek capitals whose small letters look like another Latin one. */
const CAPITALS: Record<string, string> = { b: "Β", e: "Ε", h: "Η", m: "Μ", n: "Ν", p: "Ρ", x: "Χ", y: "Υ", z: "Ζ" };

const LATIN = new Map(
  [LOOK_ALIKES, CAPITALS].flatMap((table) =>
    Object.entries(table).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
  ),
);
const toLatin = (letter: string): string => LATIN.get(letter) ?? letter;

/** What any business can add to another's name. As written after the look-alikes are replaced, where i is l. */
const ADDED = "limited|ltd|plc|inc|incorporated|company|co|nigeria|nig|ng|microfinance|mfb|bank|the|of"
  .split("|")
  .map(folded);

/** A name without what look-alikes differ in: two names that can be taken for each other have the same. */
export function skeletonOf(name: string): string {
  const words = folded(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const own = words.filter((word) => !ADDED.includes(word)).join("");
  // A name of such words alone is compared as it is.
  return withoutPairs(own.replace(SUFFIX, "") || words.join("")) || folded(name);
}

/** `HarbourBank` and `Harbour Bank` are the same name. */
const SUFFIX = new RegExp(`(?<=..)(${["bank", "mfb", "ltd", "plc", "limited"].map(folded).join("|")})$`, "u");

function folded(name: string): string {
  const letters = [...name.normalize("NFKD").replace(/\p{M}/gu, "")];
  return letters.map((letter) => [...toLatin(letter).toLowerCase()].map(toLatin).join("")).join("");
}

/** Two letters that look like one. */
const withoutPairs = (text: string) => text.replaceAll("rn", "m").replaceAll("vv", "w").replaceAll("cl", "d");

/** Shorter names of banks are common words, and are compared as a whole only. */
const CONTAINED_MIN = 7;

export type ImitatedBanks = (names: string[]) => string[];

/** Finds the banks whose name one of these resembles, or contains, as in `Harbour Bank Collections`. */
export function knownBanks(partner: string | undefined): ImitatedBanks {
  const names = [...BANKS.map(({ name }) => name), ...(partner ? [partner] : [])];
  const banks = names.map((name) => ({ name, ...formsOf(name) }));
  return (given) => {
    const forms = given.map(formsOf);
    const imitated = banks.filter((bank) => forms.some((form) => resembles(form, bank)));
    return imitated.map(({ name }) => name);
  };
}

type Forms = { skeleton: string; whole: string };

function formsOf(name: string): Forms {
  const whole = withoutPairs(folded(name).replace(/[^\p{L}\p{N}]+/gu, ""));
  return { skeleton: skeletonOf(name), whole };
}

function resembles(name: Forms, bank: Forms): boolean {
  if (name.skeleton === bank.skeleton) return true;
  return bank.whole.length >= CONTAINED_MIN && name.whole.includes(bank.whole);
}
