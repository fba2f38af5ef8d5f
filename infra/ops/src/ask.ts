import { randomUUID } from "node:crypto";
import { connectBus } from "@collect/bus";
import { Problem, type WireInput as Question, type RequestContract, type WireResult } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { natsUrl } from "./config.ts";

/** Asks a service over the bus. Every wait has the deadline of its contract. */
export type Ask = <Contract extends RequestContract>(
  contract: Contract,
  input: Question<Contract>,
) => Promise<WireResult<Contract>>;

/** What a command does, on a connection of its own; all its requests carry one id, which the audit log keeps. */
export async function asking<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const bus = await connect(natsUrl());
  const requestId = `ops_${randomUUID()}`;
  try {
    return await work((contract, input) =>
      bus.request(contract, input, requestId).catch((error) => {
        throw sayingWho(error, contract.to);
      }),
    );
  } finally {
    await bus.nats.close();
  }
}

function connect(url: string) {
  return connectBus({ url, name: "operator", log: createLogger("ops", "silent") }).catch((cause) => {
    // Without the user and password that may stand in the address.
    const broker = url.split("@").at(-1);
    throw new Error(`no message broker answers at ${broker}. Does the stack run (npm start)? NATS_URL names another.`, {
      cause,
    });
  });
}

function sayingWho(error: unknown, service: string): unknown {
  if (!(error instanceof Problem) || error.code !== "service_unavailable") return error;
  return new Problem(error.code, `${service}: ${error.detail}`, { cause: error.cause });
}
