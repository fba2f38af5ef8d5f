import { serveRequests } from "@collect/bus";
import { browseCollections, listCollections, sumCollectionDays } from "@collect/contracts";
import { createPool } from "@collect/database";
import { startComponents, useWorld } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { collectionRequests } from "../src/inbound/handlers/collection-lists.ts";
import { collectionsByKey } from "../src/inbound/handlers/collections-by-key.ts";
import { openPrisma } from "../src/store/prisma.ts";
import { aShop, directory } from "./inbound/sessions-world.ts";

const world = await useWorld({ service: "payments", directory });
const { bus, log } = world;

/** As those of lists, but less patient, and it is not the lock that ends the wait. */
const limits = { statementMs: 1_000, lockMs: 60_000 };
const lists = createPool({ url: world.database.service, service: "payments", log, max: 2, limits });
afterAll(() => lists.end());
const prisma = openPrisma(lists);
// The first query compiles the client, which a busy machine may not do within a deadline.
await prisma.collection.findFirst();
const epochs = { assertCurrent: () => {} };
const requests = [...collectionRequests({ prisma, lists, bus }), ...collectionsByKey({ prisma, lists, bus, epochs })];
afterAll(await startComponents([serveRequests(bus, { service: "payments", log, requests })]));

const { id, mode } = aShop();
const merchant = { id, mode };
const [from, to] = ["2026-11-21", "2026-11-21"];
const READ = {
  "a page for the dashboard": () => world.others.request(browseCollections, { merchant }),
  "a page for a merchant's server": () => world.others.request(listCollections, { merchant }),
  "the sums of a day": () => world.others.request(sumCollectionDays, { merchant, from, to }),
};

test.each(Object.entries(READ))(
  "%s that the database cancels after its time limit can be requested again",
  async (_, read) => {
    const blocking = await world.owner.connect();
    try {
      await blocking.query("begin");
      await blocking.query("lock table collections");
      // The service's answer: the caller's own deadline has another text.
      const detail = "Temporarily unavailable. Try again shortly.";
      await expect(read()).rejects.toMatchObject({ code: "service_unavailable", detail });
    } finally {
      await blocking.query("rollback");
      blocking.release();
    }
    await read();
  },
);
