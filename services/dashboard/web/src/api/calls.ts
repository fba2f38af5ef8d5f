import type { MerchantActs, MerchantReads, PersonActs, PersonReads } from "@collect/dashboard";
import { call } from "./client.ts";

/** Every call that the server declares, by path, with its request and response types. Types only, no runtime code. */

export type ReadPath = keyof MerchantReads;
export type ReadFields<Path extends ReadPath> = MerchantReads[Path]["input"];
export type ReadResponse<Path extends ReadPath> = MerchantReads[Path]["output"];

export type ActPath = keyof MerchantActs;
export type ActFields<Path extends ActPath> = MerchantActs[Path]["input"];
export type ActResponse<Path extends ActPath> = MerchantActs[Path]["output"];

/** One page of a list; `next` is the cursor of the next page. */
export type PageOf<Row> = { data: Row[]; next: string | null; is_partial?: boolean | undefined };
export type ListPath = {
  [Path in ReadPath]: ReadResponse<Path> extends PageOf<unknown> ? Path : never;
}[ReadPath];
/** What a list comes to; null if that was not counted. */
export type TotalsPath = Extract<ReadPath, `${string}/totals`>;
export type TotalsOf<Path extends TotalsPath> = NonNullable<ReadResponse<Path>["totals"]>;

export type RowOf<Path extends ListPath> = ReadResponse<Path> extends PageOf<infer Row> ? Row : never;

/** The first segment of a path: the key under which responses are cached and refetched. */
export type Noun = FirstWord<ReadPath>;
type FirstWord<Path> = Path extends `${infer First}/${string}` ? First : Path;

/** Fields can be omitted if none is required. */
export type FieldsAnd<Fields, Options> =
  Record<never, never> extends Fields ? [fields?: Fields, options?: Options] : [fields: Fields, options?: Options];

/** `api` contains the merchant and mode: `/api/m/mer_…/test`. */
export const readMerchant = <Path extends ReadPath>(
  api: string,
  path: Path,
  fields: ReadFields<Path>,
): Promise<ReadResponse<Path>> => call<ReadResponse<Path>>("GET", api, path, fields);

export const actMerchant = <Path extends ActPath>(
  api: string,
  path: Path,
  fields: ActFields<Path>,
): Promise<ActResponse<Path>> => call<ActResponse<Path>>("POST", api, path, fields);

/** Calls about the user, not about one merchant. */
export const readPerson = <Path extends keyof PersonReads>(
  path: Path,
  fields: PersonReads[Path]["input"],
): Promise<PersonReads[Path]["output"]> => call<PersonReads[Path]["output"]>("GET", "/api", path, fields);

export const actPerson = <Path extends keyof PersonActs>(
  path: Path,
  fields: PersonActs[Path]["input"],
): Promise<PersonActs[Path]["output"]> => call<PersonActs[Path]["output"]>("POST", "/api", path, fields);
