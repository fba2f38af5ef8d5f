import { z } from "zod";
import { createHttpCall } from "../http-call.ts";

export type PayoutAccess = {
  /** The base URL of the bank's transfer service, which ends in `/postingrest`. */
  url: string;
  userName: string;
  password: string;
  timeoutMs: number;
};

/** The list of all banks on NIP is the longest response. */
const RESPONSE_BYTES_MAX = 262_144;

/** Every response has a code, with status 200: a failure of the service itself comes with another status, and has none. */
export const CodedResponse = z.object({ responseCode: z.string().trim().min(1).max(10) });

export type TransferRequest<Output> = {
  path: string;
  /** Absent in a request that has nothing of ours, which is a GET. */
  fields?: object;
  read(response: unknown): Output;
  failure: string;
  isRepeatable?: boolean;
};
export type CallTransfers = <Output>(request: TransferRequest<Output>) => Promise<Output>;

/** Calls to the transfer service. The credentials are in the bodies. */
export function createTransferCall({ url, userName, password, timeoutMs }: PayoutAccess): CallTransfers {
  const call = createHttpCall({ url, timeoutMs, sign: () => ({}), responseBytesMax: RESPONSE_BYTES_MAX });
  return ({ path, fields, read, ...detail }) =>
    call({
      ...detail,
      method: fields ? "POST" : "GET",
      path,
      body: fields && { ...fields, userName, password },
      read({ status, json }) {
        if (status !== 200) throw new Error(`the partner bank answered ${status}`);
        return read(json());
      },
    });
}
