import type { MemberRole, Mode, RequestContract } from "@collect/contracts";
import type { z } from "zod";
import { rowOf } from "../domain/cells.ts";
import type { MailKind } from "../domain/mail-texts.ts";
import type { Permission } from "../domain/role.ts";

/** The fields of a call, unparsed. */
export type Fields = Record<string, unknown>;

/** A mail about an act. Without the outcome, after a crash, it says what was ordered. */
export type Announcement = {
  kind: MailKind;
  to: MemberRole[];
  detail?: (fields: Fields) => object;
  /** What the response adds; null if there is nothing to announce. */
  outcome?: (response: unknown) => object | null;
};

/** Who may make a call, and what the audit log records about it. */
type Rules = {
  permission: Permission;
  /** The permission that these fields need besides. It is checked once the body is read, and a refusal is recorded. */
  alsoNeeds?: (fields: Fields, mode: Mode) => Permission;
  /** Requires a password or a code within the last ten minutes: always, or only for live data. */
  recentlyAuthenticated?: true | "live";
  /** Requires a confirmed email address, where mail is sent: always, or only for live data. */
  confirmed?: true | "live";
  /** Members may do it to themselves, the `user_id` of the path, whatever their role. */
  orOneself?: true;
  /** The mail about it to members of the team, if it concerns live mode. */
  announces?: Announcement;
  /** Recorded in the audit log before and after the action. Never contains secrets. */
  audit?: {
    action: string;
    /** The fields that describe the action. */
    detail?: (fields: Fields) => Fields;
    bothModes?: true;
    liveOnly?: true;
  };
};

/**
 * The schema of a list's rows; a list with one is also available as CSV and XLSX, with this permission. What other programs import
 * has no byte order mark, which they would take for a part of the first column's name.
 */
type Listed = { rows?: z.ZodObject; exportedWith?: "exports" | "logs"; isImported?: true };

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
  return { permission: "read", request };
}

export function list<In extends z.ZodObject, Out extends z.ZodType>(
  request: RequestContract<In, Out>,
  exportedWith: Listed["exportedWith"] = "exports",
): Forwarded<In, Out> {
  return { permission: "read", request, rows: rowOf(request.output), exportedWith };
}

export function act<In extends z.ZodObject, Out extends z.ZodType>(
  permission: Permission,
  request: RequestContract<In, Out>,
  rules: Omit<Rules, "permission"> = {},
): Forwarded<In, Out> {
  return { ...rules, permission, request };
}

export function composedRead<In extends z.ZodObject, Out extends z.ZodType>(input: In, output: Out): Composed<In, Out> {
  return { permission: "read", input, output };
}

export function composedList<In extends z.ZodObject, Out extends z.ZodType>(input: In, output: Out): Composed<In, Out> {
  return { permission: "read", input, output, rows: rowOf(output), exportedWith: "exports" };
}

export function composedAct<In extends z.ZodObject, Out extends z.ZodType>(
  permission: Permission,
  declared: { input: In; output: Out } & Omit<Rules, "permission">,
): Composed<In, Out> {
  return { ...declared, permission };
}

/** An owner's change to the team, which applies to both modes. */
export function teamAct<In extends z.ZodObject, Out extends z.ZodType>(
  declared: { input: In; output: Out; audit: NonNullable<Rules["audit"]> } & Pick<Rules, "orOneself" | "confirmed">,
): Composed<In, Out> {
  return {
    ...declared,
    permission: "team",
    recentlyAuthenticated: true,
    audit: { ...declared.audit, bothModes: true },
  };
}

/** What was done to something, for the owners and those others who have to do with it. */
export const announced = (
  kind: MailKind,
  what: string | ((fields: Fields) => string),
  ...others: MemberRole[]
): Announcement => ({
  kind,
  to: ["owner", ...others],
  detail: (fields) => ({ what: typeof what === "string" ? what : what(fields) }),
});

/** Picks these fields, omitting those that were not sent. */
export function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
