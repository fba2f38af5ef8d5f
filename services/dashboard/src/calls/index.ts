import type { RequestContract } from "@collect/contracts";
import type { z } from "zod";
import type { Composed, Forwarded } from "./declaration.ts";
import type { ACTS, READS } from "./merchant.ts";
import type {
  DeadLetters,
  OPERATOR_ACTS,
  OPERATOR_FINDS,
  OPERATOR_KEY,
  OPERATOR_PARTS,
  OPERATOR_READS,
  OPERATOR_SIGN_INS,
  SelfAudit,
} from "./operators.ts";
import type { PERSON_ACTS, PERSON_READS } from "./person.ts";

export type { Kind as LiveKind } from "../domain/live-updates.ts";
export type { Permission } from "../domain/role.ts";

/** The inputs and outputs of the pages' calls, by path: types only, as in the JSON. */

/** Calls about one merchant in one mode, below `/api/m/:merchant/:mode`. */
export type MerchantReads = Served<typeof READS>;
export type MerchantActs = Served<typeof ACTS>;
/** Calls about the user, below `/api`. */
export type PersonReads = Served<typeof PERSON_READS>;
export type PersonActs = Served<typeof PERSON_ACTS>;

/** Calls of the operators' pages, below `/api` at their own address. */
export type OperatorReads = Requested<typeof OPERATOR_READS & typeof OPERATOR_FINDS & { key: typeof OPERATOR_KEY }> & {
  "dead-letters": { input: object; output: z.input<typeof DeadLetters> };
  "self-audit": { input: object; output: z.input<typeof SelfAudit> };
};
export type OperatorActs = Requested<typeof OPERATOR_ACTS> & {
  [subject: `${string}.dead_letters.retry`]: { input: { natural_key: string }; output: { retried: number } };
  [subject: `${string}.dead_letters.discard`]: { input: { natural_key: string }; output: { discarded: number } };
};
export type OperatorParts = Requested<typeof OPERATOR_PARTS>;
export type OperatorSignIns = Requested<typeof OPERATOR_SIGN_INS>;

type Requested<Table> = {
  [Path in keyof Table & string]: Table[Path] extends RequestContract<infer In, infer Out>
    ? { input: z.input<In>; output: z.input<Out> }
    : never;
};

type Served<Table> = {
  [Path in keyof Table & string]: {
    input: Given<Path, SchemasOf<Table[Path]>["input"]>;
    output: Response<Table[Path]>;
  };
};

type Response<Declared> = z.input<SchemasOf<Declared>["output"]>;

type SchemasOf<Declared> =
  Declared extends Forwarded<infer In, infer Out>
    ? { input: In; output: Out }
    : Declared extends Pick<Composed<infer In, infer Out>, "input" | "output">
      ? { input: In; output: Out }
      : never;

/** The server adds the merchant and mode; path parameters can also be numbers. */
type Given<Path extends string, Input extends z.ZodObject> = Omit<
  z.input<Input>,
  "merchant" | "merchant_id" | "mode" | ParameterOf<Path>
> &
  Record<ParameterOf<Path>, string | number>;

/** The parameters of a path: `reference` of `collections/:reference/timeline`. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
