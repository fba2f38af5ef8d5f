import { randomUUID } from "node:crypto";
import { AuthorizationError, type Broker, connectBus } from "@collect/bus";
import { Problem, type WireInput as Question, type RequestContract, type WireResult } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { brokerToOperate, operatorSeed } from "./config.ts";

/** Sends a request to a service over the bus. Every wait has the deadline of its contract. */
export type SendRequest = <Contract extends RequestContract>(
  contract: Contract,
  input: Question<Contract>,
  context?: { proposal: string },
) => Promise<WireResult<Contract>>;

/** Runs a command on its own connection. All its requests carry one id, which the audit log records. */
export async function withBus<Result>(work: (send: SendRequest) => Promise<Result>): Promise<Result> {
  const bus = await connect(brokerToOperate());
  const requestId = randomUUID();
  try {
    return await work((contract, input, context) =>
      bus.request(contract, input, { requestId, ...context }).catch((error) => {
        throw withServiceName(error, contract.to);
      }),
    );
  } finally {
    await bus.close();
  }
}

function connect(broker: Broker) {
  return connectBus({
    ...broker,
    name: "operator",
    log: createLogger("ops", "silent"),
    operatorSeed: operatorSeed(),
  }).catch((cause) => {
    if (cause instanceof AuthorizationError)
      throw new Error("the message broker does not know this key: set NATS_NKEY_SEED to the key of an operator.", {
        cause,
      });
    // Without the user and password that the URL may contain.
    const address = broker.url.split("@").at(-1);
    throw new Error(
      `no message broker answers at ${address} (${cause.message}). Is the stack running (npm start)? Set NATS_URL and NATS_NKEY_SEED to use another broker.`,
      { cause },
    );
  });
}

function withServiceName(error: unknown, service: string): unknown {
  if (!(error instanceof Problem) || error.code !== "service_unavailable") return error;
  return new Problem(error.code, `${service}: ${error.detail}`, { cause: error.cause });
}
