import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** How hard a password is to guess, estimated as on the page where it is chosen. */

/** From 0 to 4: 3 withstands about 10^8 guesses, far more than a sign-in allows or a stolen hash invites. */
export const SCORE_MIN = 3;

/** What was longer would only cost time: the estimate grows faster than linearly with the length. */
const ESTIMATED_LENGTH = 48;

/** Words of this product and its users' surroundings that an attacker tries first. */
const SURROUNDINGS = ["collect", "merchant", "naira", "lagos", "abuja", "nigeria", "kobo", "password", "dashboard"];

export type Strength = { score: number; hint: string };

let estimator: Promise<ZxcvbnFactory> | undefined;

/** `personal`: the user's names and addresses, which others know too. */
export async function strengthOf(password: string, personal: readonly string[]): Promise<Strength> {
  estimator ??= loadEstimator();
  const { score, feedback } = (await estimator).check(password.slice(0, ESTIMATED_LENGTH), [
    ...SURROUNDINGS,
    ...personal.flatMap(wordsOf),
  ]);
  return { score, hint: feedback.warning?.replace(/\.$/, "").toLowerCase() ?? "" };
}

/** The dictionaries are large: they are loaded when the first password is chosen. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  return new Factory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
}

/** The whole, an address before its @, its words, and its words written together: Ada Obi, ada, obi and adaobi. */
function wordsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  const [local = ""] = text.toLowerCase().split("@");
  return [text.toLowerCase(), local, ...words, words.join("")];
}
