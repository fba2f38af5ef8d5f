import type { Bus } from "@collect/bus";
import type { RequestContext, RequestContract, WireInput, WireResult } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Keyring } from "@collect/runtime";
import type { Fields } from "../calls/declaration.ts";
import type { Config } from "../config.ts";
import type { Client } from "../domain/client.ts";
import type { Member } from "./sessions.ts";

/** A member's call about one merchant and mode, as the dashboard's handlers receive it. */
export type Call<Input> = {
  deps: { bus: Bus; pool: Pool; config: Config; keyring: Keyring };
  member: Member;
  /** The parsed input, including the path parameters. */
  input: Input;
  context: RequestContext;
  client: Client;
  /** Sends a request to another service. */
  request<Contract extends RequestContract>(
    contract: Contract,
    data: WireInput<Contract>,
  ): Promise<WireResult<Contract>>;
};

/** A call before it is handled: its fields are validated but unparsed. */
export type SentCall = Omit<Call<unknown>, "input"> & { fields: Fields };
