import type { Bus } from "@collect/bus";
import type { RequestContract, WireInput, WireResult } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Config } from "../config.ts";
import type { Member } from "./visitors.ts";

export type Fields = Record<string, unknown>;

/** A call of a member about one merchant and mode, as an endpoint with an answer of its own gets it. */
export type Call = {
  deps: { bus: Bus; pool: Pool; config: Config };
  member: Member;
  /** Checked against the endpoint's schema; what the path says is among them. */
  fields: Fields;
  requestId: string;
  /** Asks a service. */
  ask<Contract extends RequestContract>(contract: Contract, data: WireInput<Contract>): Promise<WireResult<Contract>>;
};
