import type { MemberRole, RequestContract } from "@collect/contracts";
import type { z } from "zod";
import { rowOf } from "../domain/csv.ts";

/** The fields of a call, unparsed. */
export type Fields = Record<string, unknown>;

/** Who may make a call, and what the audit log records about it. */
type Rules = {
  role: MemberRole;
  /** Requires a password or a code within the last ten minutes: always, or only for live data. */
  recentlyAuthenticated?: true | "live";
  /** Members may do it to themselves, the `user_id` of the path, whatever their role. */
  orOneself?: true;
  /** Recorded in the audit log before and after the action. Never contains secrets. */
  audit?: {
    action: string;
    /** The fields that describe the action. */
    detail?: (fields: Fields) => Fields;
    bothModes?: true;
  };
};

/** The schema of a list's rows; a list with one is also available as CSV. */
type Listed = { rows?: z.ZodObject };

/** A call that is forwarded to another service: the request has the schemas of its input and output. */
export type Forwarded<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> = Rules &
  Listed & { request: RequestContract<In, Out> };

/** A call with a handler in the dashboard, which usually combines several services. Merchant and mode are not among its fields. */
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

/** An owner's change to the team, which applies to both modes. */
export function teamAct<In extends z.ZodObject, Out extends z.ZodType>(
  declared: { input: In; output: Out; audit: NonNullable<Rules["audit"]> } & Pick<Rules, "orOneself">,
): Composed<In, Out> {
  return { ...declared, role: "owner", recentlyAuthenticated: true, audit: { ...declared.audit, bothModes: true } };
}

/** Picks these fields, omitting those that were not sent. */
export function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
