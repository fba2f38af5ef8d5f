import type { Bus } from "@collect/bus";
import type { RequestContract, WireInput, WireResult } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Fields } from "../calls/declaration.ts";
import type { Config } from "../config.ts";
import type { Member } from "./sessions.ts";

/** A call of a member about one merchant and mode, as a handler of the dashboard's own gets it. */
export type Call<Input> = {
  deps: { bus: Bus; pool: Pool; config: Config };
  member: Member;
  /** As the declaration of the call reads it; what the path says is among it. */
  input: Input;
  requestId: string;
  /** Sends a request to a service. */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
  ): Promise<WireResult<Contract>>;
};

/** A call before its handler is known: its fields are checked, and as they were sent. */
export type SentCall = Omit<Call<unknown>, "input"> & { fields: Fields };
