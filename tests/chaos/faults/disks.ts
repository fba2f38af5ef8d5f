import type { World } from "../world.ts";
import type { Injection } from "./index.ts";

/** Full means that neither a row nor a message can be stored any more; room is given back at the end of the fault. */
export const fullDisk: Injection = async (world, { target }) => {
  const server = target === "nats" ? "nats" : "postgres";
  const giveBack = await world.disks?.fill(server);
  return async () => {
    await giveBack?.();
    if (server === "postgres") await world.stack.startPostgres();
    else await recoverJetStream(world);
  };
};

/** NATS 2.9 switches JetStream off when it cannot write, and on again only when it is started anew. */
async function recoverJetStream({ stack, timeline }: World): Promise<void> {
  const works = await stack.bus.manager.getAccountInfo().then(
    () => true,
    () => false,
  );
  if (works) return;
  timeline.note("nats had switched JetStream off and is started again");
  await stack.restartNats();
}
