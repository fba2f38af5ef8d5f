import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "nats";
import { expect, onTestFinished, test } from "vitest";
import { freePort, startNats } from "./index.ts";
import { findNats } from "./nats-binary.ts";

async function anEmptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "nats-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test("messages that JetStream acknowledged survive a stop and a kill, on the same directory and port", async () => {
  const directory = await anEmptyDirectory();
  const first = await startNats({ directory, port: 0 });
  const writer = await connect({ servers: first.url });
  await (await jetstreamManager(writer)).streams.add({ name: "kept", subjects: ["kept.>"] });
  await jetstream(writer).publish("kept.one", "1");
  await writer.close();
  await first.stop();

  const second = await startNats({ directory, port: first.port });
  expect(await readdir(second.store)).not.toEqual([]);
  await second.kill();

  const third = await startNats({ directory, port: first.port });
  onTestFinished(() => third.stop());
  const reader = await connect({ servers: third.url });
  onTestFinished(() => reader.close());
  const { state } = await (await jetstreamManager(reader)).streams.info("kept");
  expect(state.messages).toBe(1);
});

test("a port in use is refused with an error that names it", async () => {
  const port = await freePort();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void squatter.close());
  await expect(startNats({ directory: await anEmptyDirectory(), port })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is in use`,
  );
});

test("a server on PATH is preferred to the cached copy, and the cached copy to a download", async () => {
  const [path, cache] = [await anEmptyDirectory(), await anEmptyDirectory()];
  await writeFile(join(cache, "nats-server"), "", { mode: 0o755 });
  expect(await findNats(cache, path)).toEqual({ kind: "binary", path: join(cache, "nats-server") });
  await mkdir(join(path, "sbin"));
  await writeFile(join(path, "sbin/nats-server"), "", { mode: 0o755 });
  expect(await findNats(cache, `${path}:${join(path, "sbin")}`)).toEqual({
    kind: "binary",
    path: join(path, "sbin/nats-server"),
  });
});
