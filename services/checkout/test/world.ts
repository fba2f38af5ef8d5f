import { useWorld } from "@collect/testing";
import { afterAll } from "vitest";
import { aSession, call, DIRECTORY, publishSessions, startCheckout } from "./checkout.ts";
import { startFakeServices } from "./fake-services.ts";

export const useCheckoutWorld = () => useWorld({ service: "checkout", directory: DIRECTORY });

/** A world with the fake services, and no checkout yet. */
export async function useFakeServices() {
  const world = await useCheckoutWorld();
  const fakes = await startFakeServices(world);
  afterAll(fakes.stop);
  return {
    world,
    fakes,
    /** A session that payments knows and has published. */
    async aKnownSession(given: Parameters<typeof aSession>[0] = {}) {
      const session = aSession(given);
      fakes.addSessions(session);
      await publishSessions(world, session);
      return session;
    },
    requestsOf: (subject: string, reference: string) =>
      fakes.requests.filter((request) => request.subject === subject && request.input.reference === reference),
  };
}

/** One replica with the fake services, for the whole test file. */
export async function useCheckout(options: Parameters<typeof startCheckout>[1] = {}) {
  const services = await useFakeServices();
  const checkout = await startCheckout(services.world, options);
  afterAll(checkout.stop);
  return {
    ...services,
    checkout,
    /** The public API's copy of a session. */
    show: (reference: string) => call(checkout, "GET", `/checkout/${reference}`),
    /** The page of a session. */
    showPage: (reference: string) => call(checkout, "GET", `/pay/${reference}`),
  };
}
