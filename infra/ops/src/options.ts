import { deadLetterRequests, MODES, type Mode } from "@collect/contracts";
import { InvalidArgumentError, Option } from "commander";

/** Options that several commands take. What a service checks is not checked here again. */

export const json = () => new Option("--json", "print the result as one line of JSON");
export const mode = () => new Option("--mode <mode>", "test or live").choices(MODES).makeOptionMandatory();
export const merchant = () => new Option("--merchant <merchant>", "whose").makeOptionMandatory();
export const service = () =>
  new Option("--service <service>", "only this service").choices(Object.keys(deadLetterRequests));
export type ModeOption = { mode: Mode };

/** `accounts=300,reads=600`, one of them or both. */
export function rateLimits(text: string): { accounts?: number; reads?: number } {
  const limits = text.split(",").map((part) => {
    const [, kind, number] = /^(accounts|reads)=(\d{1,9})$/.exec(part.trim()) ?? [];
    if (!kind) throw new InvalidArgumentError("Give accounts=N, reads=N or both, with a comma between.");
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
export const basisPoints = (text: string) => wholeNumber(text, "basis points");

function wholeNumber(text: string, of: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError(`Give a whole number of ${of}.`);
  return Number(text);
}

export function naira(text: string): number {
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("Give naira, such as 5000000.");
  return Number(text);
}

/** Whether it may be used is the webhooks service's to say; this only spares a merchant that would be made before it is asked. */
export function address(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError("Give a whole URL, such as https://example.com/hook.");
  return text;
}
