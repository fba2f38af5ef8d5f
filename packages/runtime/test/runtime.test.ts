import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createGroupCommit, withBackOff } from "../src/index.ts";

test("the log contains an error with its cause, but not its data", () => {
  const script = `import { createLogger } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const cause = Object.assign(new Error("check failed"), { code: "23514", detail: "Failing row contains (Ada Obi)" });
    createLogger("test").error({ err: new Error("not stored", { cause }) }, "failed");`;
  const line = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }).stdout;
  expect(JSON.parse(line).err).toMatchObject({
    message: "not stored",
    cause: { message: "check failed", code: "23514" },
  });
  expect(line).not.toContain("Ada");
});

describe("group commit", () => {
  const options = { name: "numbers", batchMax: 10, queueMax: 30, refuse: () => new Error("full") };

  test("callers that arrive during a commit share the next one, and each gets its own result", async () => {
    const batches: number[][] = [];
    const commit = createGroupCommit<number, number>({
      ...options,
      commit: async (items) => {
        batches.push(items);
        return items.map((item) => item * 2);
      },
    });
    const results = await Promise.all(Array.from({ length: 25 }, (_, n) => commit(n)));
    expect(results).toEqual(Array.from({ length: 25 }, (_, n) => n * 2));
    expect(batches.map((batch) => batch.length)).toEqual([10, 10, 5]);
  });

  test("a failed commit fails only its own callers, and a full queue refuses", async () => {
    const commit = createGroupCommit<number, number>({
      ...options,
      commit: async (items) => {
        if (items.includes(3)) throw new Error("no");
        return items;
      },
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 35 }, (_, n) => commit(n)));
    const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
    expect([count("fulfilled"), count("rejected")]).toEqual([20, 15]);
    expect(outcomes.at(-1)).toMatchObject({ reason: { message: "full" } });
  });

  test("batches are apart, and neither a first item nor a full batch waits for it", async () => {
    const batches: number[][] = [];
    const commit = createGroupCommit<number, number>({
      ...options,
      apartMs: 3_600_000,
      commit: async (items) => {
        batches.push(items);
        return items;
      },
    });
    expect(await commit(0)).toBe(0);
    const waiting = Promise.all(Array.from({ length: 9 }, (_, n) => commit(n + 1)));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(batches).toEqual([[0]]);
    await commit(10);
    expect((await waiting).length).toBe(9);
    expect(batches.map((batch) => batch.length)).toEqual([1, 10]);
  });

  test("items that wait for their time are committed when it has come", async () => {
    const commit = createGroupCommit<number, number>({ ...options, apartMs: 20, commit: async (items) => items });
    const started = performance.now();
    for (const item of [1, 2, 3]) expect(await commit(item)).toBe(item);
    expect(performance.now() - started).toBeGreaterThanOrEqual(39);
  });
});

describe("a group commit that is late", () => {
  const options = { name: "late", batchMax: 10, queueMax: 100, refuse: () => new Error("full") };
  /** Commits that end on command. */
  function controlledCommits() {
    const batches: { items: number[]; end(): void; fail(): void }[] = [];
    const commit = createGroupCommit<number, number>({
      ...options,
      commit: (items) =>
        new Promise((resolve, reject) =>
          batches.push({ items, end: () => resolve(items), fail: () => reject(new Error("gone silent")) }),
        ),
    });
    const started = (count: number) => expect.poll(() => batches.length, { timeout: 5_000 }).toBe(count);
    return { batches, commit, started };
  }

  test("does not block the next ones, which still run one at a time", async () => {
    const { batches, commit, started } = controlledCommits();
    const first = commit(1);
    await started(1);
    const others = [commit(2), commit(3)];
    await started(2);
    expect(batches[1]?.items).toEqual([2, 3]);
    batches[1]?.end();
    expect(await Promise.all(others)).toEqual([2, 3]);
    batches[0]?.fail();
    await expect(first).rejects.toThrow("gone silent");
  });

  test("allows at most two more: the rest waits in the queue until one of them ends", async () => {
    const { batches, commit, started } = controlledCommits();
    for (let batch = 1; batch <= 3; batch++) {
      void commit(batch).catch(() => {});
      await started(batch);
    }
    const waiting = commit(4);
    // A fourth commit would have started within the time of these three.
    const probe = controlledCommits();
    for (let batch = 1; batch <= 3; batch++) {
      void probe.commit(batch);
      await probe.started(batch);
    }
    expect(batches).toHaveLength(3);
    batches[1]?.fail();
    await started(4);
    batches[3]?.end();
    expect(await waiting).toBe(4);
  });
});

test("work is retried until it succeeds or is aborted", async () => {
  const stopping = new AbortController();
  let tries = 0;
  const flaky = async () => {
    if (++tries < 3) throw new Error("not yet");
    return "done";
  };
  const waits: number[] = [];
  expect(await withBackOff(flaky, { signal: stopping.signal, onFailure: (_error, waitMs) => waits.push(waitMs) })).toBe(
    "done",
  );
  expect(waits).toEqual([100, 200]);
  const never = withBackOff(() => Promise.reject(new Error("never")), {
    signal: stopping.signal,
    onFailure: () => stopping.abort(),
  });
  expect(await never).toBeUndefined();
});

describe("failpoints", () => {
  const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const passes = `import { failpoint } from ${JSON.stringify(index)}; for (let n = 1; n <= 3; n++) { failpoint("committed"); console.log(n); }`;
  const run = (FAILPOINT: string) =>
    new Promise<{ signal: string | null; text: string }>((resolve) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", passes], {
        env: { ...process.env, FAILPOINT },
      });
      let text = "";
      child.stdout.on("data", (chunk) => {
        text += chunk;
      });
      child.on("close", (_code, signal) => resolve({ signal, text }));
    });

  test("are inert unless set, and kill the process at the given pass", async () => {
    expect(await run("")).toEqual({ signal: null, text: "1\n2\n3\n" });
    expect(await run("published")).toEqual({ signal: null, text: "1\n2\n3\n" });
    expect((await run("committed")).signal).toBe("SIGKILL");
    expect(await run("committed:3")).toEqual({ signal: "SIGKILL", text: "1\n2\n" });
  });
});
