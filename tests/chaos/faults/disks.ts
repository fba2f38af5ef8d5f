import type { Injection, World } from "../world.ts";

/** Neither a row nor a message can be stored until the end of the fault. */
export const fullDisk: Injection = async (world, { target }) => {
  const server = target === "nats" ? "nats" : "postgres";
  const restoreSize = await world.disks?.fill(server);
  return async () => {
    await restoreSize?.();
    if (server === "postgres") await world.stack.startPostgres();
    else await recoverJetStream(world);
  };
};

/** NATS 2.9 disables JetStream when it cannot write, and enables it again only after a restart. */
async function recoverJetStream({ stack, timeline }: World): Promise<void> {
  const works = await stack.bus.manager.getAccountInfo().then(
    () => true,
    () => false,
  );
  if (works) return;
  timeline.note("nats had disabled JetStream and is restarted");
  await stack.restartNats();
}
