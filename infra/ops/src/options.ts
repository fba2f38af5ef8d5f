import { isPublicKey } from "@collect/bus";
import { deadLetterRequests, MODES, type Mode } from "@collect/contracts";
import { InvalidArgumentError, Option } from "commander";

/** Options shared by several commands. Values that a service validates are not validated here again. */

export const json = () => new Option("--json", "print the result as one line of JSON");
export const mode = () => new Option("--mode <mode>", "test or live").choices(MODES).makeOptionMandatory();
export const reason = (description: string) => new Option("--reason <reason>", description).makeOptionMandatory();
export const despiteName = () =>
  new Option("--despite-name", "although the name imitates a bank's or another merchant's, as printed by show");
export const merchant = () => new Option("--merchant <merchant>", "the merchant's id").makeOptionMandatory();
export const service = () =>
  new Option("--service <service>", "only this service").choices(Object.keys(deadLetterRequests));
export type ModeOption = { mode: Mode };

/** A public key whose check digits are right: with a mistyped one the person could never sign. */
export function publicKey(text: string): string {
  if (!isPublicKey(text)) throw new InvalidArgumentError("Give the public key as `operator key` printed it.");
  return text;
}

/** `accounts=300,reads=600`, one of them or both. */
export function rateLimits(text: string): { accounts?: number; reads?: number } {
  const limits = text.split(",").map((part) => {
    const [, kind, number] = /^(accounts|reads)=(\d{1,9})$/.exec(part.trim()) ?? [];
    if (!kind) throw new InvalidArgumentError("Give accounts=N, reads=N or both, separated by a comma.");
    return [kind, Number(number)];
  });
  return Object.fromEntries(limits);
}

export function hours(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || Number.isNaN(number)) throw new InvalidArgumentError("Give a number of hours.");
  return number;
}

export const minutes = (text: string) => wholeNumber(text, "minutes");
export const days = (text: string) => wholeNumber(text, "days");
export const letters = (text: string) => wholeNumber(text, "dead letters");
export const basisPoints = (text: string) => wholeNumber(text, "basis points");

function wholeNumber(text: string, of: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError(`Give a whole number of ${of}.`);
  return Number(text);
}

export function naira(text: string): number {
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("Give naira, such as 5000000.");
  return Number(text);
}

/** A signed amount as it is printed, `-1,250.00`, in kobo. */
export function kobo(text: string): string {
  if (!/^-?[\d,]{1,17}\.\d\d$/.test(text))
    throw new InvalidArgumentError("Give naira with two decimals, such as -1,250.00.");
  return BigInt(text.replace(/[,.]/g, "")).toString();
}

/** Naira, or `none`, since an option cannot be null. */
export const nairaOrNone = (text: string): number | "none" => (text === "none" ? text : naira(text));

/** The webhooks service decides whether the URL is allowed. This check only fails before the merchant is created. */
export function parseUrl(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError("Give a complete URL, such as https://example.com/hook.");
  return text;
}
