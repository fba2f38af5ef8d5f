import type { MemberRole, RequestContract } from "@collect/contracts";
import type { z } from "zod";
import { rowOf } from "../domain/csv.ts";
import type { Call, Fields } from "./call.ts";

/** A row of the API below `/api/m/:merchant/:mode`: who may call it, and the request or the function that answers. */
export type Endpoint = {
  method: "GET" | "POST";
  path: `/${string}`;
  role: MemberRole;
  /** Only with a proof of who sits there that is not older than ten minutes: always, or for live data alone. */
  fresh?: true | "live";
  /** Whoever the path's `user_id` is may do it to themselves, whatever their role. */
  orOneself?: true;
  /**
   * Written to the audit log before and after, with what of its fields says what was done, and about whom. Never anything
   * secret.
   */
  audit?: {
    action: string;
    detail?: (fields: Fields) => Fields;
    about?: (call: Call) => Promise<Fields>;
    bothModes?: true;
  };
  /** A list that is also there as CSV: what its rows are. */
  rows?: z.ZodObject;
} & (
  | { request: RequestContract }
  /** Its fields are checked against the schema; merchant and mode are not among them. */
  | { fields: z.ZodObject; answer: (call: Call) => Promise<unknown> }
);

export function get(path: Endpoint["path"], request: RequestContract): Endpoint {
  return { method: "GET", path, role: "viewer", request };
}

export function list(path: Endpoint["path"], request: RequestContract): Endpoint {
  return { ...get(path, request), rows: rowOf(request.output) };
}

export function post(path: Endpoint["path"], role: MemberRole, request: RequestContract): Endpoint {
  return { method: "POST", path, role, request };
}

export function rotation(path: Endpoint["path"], request: RequestContract, action: string): Endpoint {
  return { ...post(path, "developer", request), fresh: true, audit: { action } };
}

/** What an owner does about people, in both modes. */
export function team(
  path: Endpoint["path"],
  fields: z.ZodObject,
  answer: (call: Call) => Promise<unknown>,
  audit: NonNullable<Endpoint["audit"]>,
): Endpoint {
  return { method: "POST", path, role: "owner", fresh: true, audit: { ...audit, bothModes: true }, fields, answer };
}

/** These of the fields, where they were given. */
export function only(...names: string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
