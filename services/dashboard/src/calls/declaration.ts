import type { MemberRole, RequestContract } from "@collect/contracts";
import type { z } from "zod";
import { rowOf } from "../domain/csv.ts";

/** The fields of a call as they were sent. */
export type Fields = Record<string, unknown>;

/** Who may make a call, and what is written down about it. */
type Rules = {
  role: MemberRole;
  /** Only within ten minutes of a password or a code: always, or for live data alone. */
  recentlyAuthenticated?: true | "live";
  /** Members may do it to themselves, as the `user_id` of the path, whatever their role. */
  orOneself?: true;
  /** Written to the audit log before and after. Never anything secret. */
  audit?: {
    action: string;
    /** What of the fields says what was done. */
    detail?: (fields: Fields) => Fields;
    bothModes?: true;
  };
};

/** A list that is also there as CSV says what its rows are. */
type Listed = { rows?: z.ZodObject };

/** Another service answers: its request says what is sent and what comes back. */
export type Forwarded<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = Rules &
  Listed & { request: RequestContract<In, Out> };

/** The dashboard answers, mostly from what several services say. Merchant and mode are not among its fields. */
export type Composed<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = Rules &
  Listed & { input: In; output: Out };

export type Declaration = Forwarded | Composed;

export function read<In extends z.ZodObject, Out extends z.ZodType>(
  request: RequestContract<In, Out>,
): Forwarded<In, Out> {
  return { role: "viewer", request };
}

export function list<In extends z.ZodObject, Out extends z.ZodType>(
  request: RequestContract<In, Out>,
): Forwarded<In, Out> {
  return { role: "viewer", request, rows: rowOf(request.output) };
}

export function act<In extends z.ZodObject, Out extends z.ZodType>(
  role: MemberRole,
  request: RequestContract<In, Out>,
  rules: Omit<Rules, "role"> = {},
): Forwarded<In, Out> {
  return { ...rules, role, request };
}

export function composedRead<In extends z.ZodObject, Out extends z.ZodType>(input: In, output: Out): Composed<In, Out> {
  return { role: "viewer", input, output };
}

export function composedList<In extends z.ZodObject, Out extends z.ZodType>(input: In, output: Out): Composed<In, Out> {
  return { role: "viewer", input, output, rows: rowOf(output) };
}

export function composedAct<In extends z.ZodObject, Out extends z.ZodType>(
  role: MemberRole,
  declared: { input: In; output: Out } & Omit<Rules, "role">,
): Composed<In, Out> {
  return { ...declared, role };
}

/** What an owner does about the members of the team, in both modes. */
export function teamAct<In extends z.ZodObject, Out extends z.ZodType>(
  declared: { input: In; output: Out; audit: NonNullable<Rules["audit"]> } & Pick<Rules, "orOneself">,
): Composed<In, Out> {
  return { ...declared, role: "owner", recentlyAuthenticated: true, audit: { ...declared.audit, bothModes: true } };
}

/** These of the fields, where they were given. */
export function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
