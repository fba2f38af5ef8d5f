import { randomUUID } from "node:crypto";
import { connectBus } from "@collect/bus";
import { Problem, type WireInput as Question, type RequestContract, type WireResult } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { natsUrl } from "./config.ts";

/** Sends a request to a service over the bus. Every wait has the deadline of its contract. */
export type SendRequest = <Contract extends RequestContract>(
  contract: Contract,
  input: Question<Contract>,
) => Promise<WireResult<Contract>>;

/** Runs a command on its own connection. All its requests carry one id, which the audit log records. */
export async function withBus<Result>(work: (send: SendRequest) => Promise<Result>): Promise<Result> {
  const bus = await connect(natsUrl());
  const requestId = `ops_${randomUUID()}`;
  try {
    return await work((contract, input) =>
      bus.request(contract, input, requestId).catch((error) => {
        throw withServiceName(error, contract.to);
      }),
    );
  } finally {
    await bus.nats.close();
  }
}

function connect(url: string) {
  return connectBus({ url, name: "operator", log: createLogger("ops", "silent") }).catch((cause) => {
    // Without the user and password that the URL may contain.
    const broker = url.split("@").at(-1);
    throw new Error(
      `no message broker answers at ${broker}. Is the stack running (npm start)? Set NATS_URL to use another broker.`,
      {
        cause,
      },
    );
  });
}

function withServiceName(error: unknown, service: string): unknown {
  if (!(error instanceof Problem) || error.code !== "service_unavailable") return error;
  return new Problem(error.code, `${service}: ${error.detail}`, { cause: error.cause });
}
