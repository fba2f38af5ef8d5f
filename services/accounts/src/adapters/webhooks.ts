import type { Bus } from "@collect/bus";
import { type Input, type RequestContext, simulateResponses } from "@collect/contracts";

/** Has webhooks simulate what the merchant's server does with the first attempts to deliver the event of a transfer. */
export async function simulateReceiver(
  bus: Bus,
  simulated: Input<typeof simulateResponses>,
  context: RequestContext,
): Promise<void> {
  await bus.request(simulateResponses, simulated, context);
}
