/**
 * Characters that are not seen, or that reorder or hide what follows: bidirectional controls, zero-width characters, tags, soft
 * hyphens, fillers. Two names that look the same must not differ in them.
 */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const JOINING_SCRIPTS =
  "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Tamil Telugu".split(" ");
const joiningLetter = JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join("");
/** What needs one: joined emojis, variants of an emoji or a keycap, and a joiner inside a word of a script that joins its letters. */
const NEEDED = new RegExp(
  [
    String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})(?:\uFE0E|\uFE0F)`,
    String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
    `(?<=[${joiningLetter}])(?:\\u200C|\\u200D)(?=[\\p{L}\\p{M}])`,
  ].join("|"),
  "gu",
);

export const isSeen = (name: string): boolean => !UNSEEN.test(name.replace(NEEDED, ""));
