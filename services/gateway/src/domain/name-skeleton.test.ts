import { expect, test } from "vitest";
import { knownBanks, skeletonOf } from "./name-skeleton.ts";

const imitated = knownBanks("Harbour Bank");

test.each([
  ["the name itself", "Harbour Bank"],
  ["another case", "HARBOUR BANK"],
  ["another form of company", "Harbour Bank Plc."],
  ["no space", "HarbourBank"],
  ["spaces and signs in between", "H a r b o u r - B a n k"],
  ["without the word bank", "Harbour Ltd"],
  ["Cyrillic letters", "Наrbоur Ваnk"],
  ["Greek letters", "Ηαrbουr Βαnκ"],
  ["digits for letters", "H4rb0ur B4nk"],
  ["full-width letters", "Ｈａｒｂｏｕｒ Ｂａｎｋ"],
  ["mathematical letters", "𝐇𝐚𝐫𝐛𝐨𝐮𝐫 𝐁𝐚𝐧𝐤"],
  ["accents", "Hárbóur Bánk"],
  ["more words around it", "My Harbour Bank Collections"],
])("a name imitates a bank's with %s", (_how, name) => {
  expect(imitated([name])).toEqual(["Harbour Bank"]);
});

test.each([
  ["Fidelity Bank", "FideIity Bank"],
  ["Sterling Bank", "Sterl1ng Microfinance Bank"],
  ["Guaranty Trust Bank", "GUARANTY  TRUST BANK LIMITED"],
  ["Moniepoint Microfinance Bank", "Monlepoint MFB"],
  ["Wema Bank", "VVema Bank"],
  ["Zenith Bank", "Zeпith"],
])("%s is imitated by %s", (bank, name) => {
  expect(imitated([name])).toContain(bank);
});

test.each([
  "Ada Stores",
  "Bánkọ́lé & Sons",
  "O'Brien's Bakery",
  "متجر آدا",
  "Ada 🛒",
  "Harbourside Foods",
  "The Riverbank",
])("%s imitates no bank", (name) => {
  expect(imitated([name])).toEqual([]);
});

test("honest names differ, and a name of general words alone is not empty", () => {
  expect(skeletonOf("Ada Stores")).not.toBe(skeletonOf("Ade Stores"));
  expect(skeletonOf("The Company Ltd")).not.toBe("");
  expect(skeletonOf("🛒")).not.toBe("");
  expect(skeletonOf("Ada Stores Limited")).toBe(skeletonOf("АDA  STORE5 PLC"));
});
