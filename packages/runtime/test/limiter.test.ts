import { describe, expect, test } from "vitest";
import { createLimiter } from "../src/index.ts";

describe("a limiter", () => {
  const refuse = () => new Error("busy");

  test("admits up to its concurrency, the others in order, and refuses when its queue is full", async () => {
    const limiter = createLimiter({ concurrency: 2, queueMax: 2, waitMaxMs: 60_000, refuse });
    const order: number[] = [];
    const releases = [await limiter.acquire("a"), await limiter.acquire("b")];
    const waiting = ["c", "d"].map((key, n) =>
      limiter.acquire(key).then((release) => [order.push(n + 3), release] as const),
    );
    await expect(limiter.acquire("e")).rejects.toThrow("busy");
    releases[0]?.();
    releases[0]?.();
    await waiting[0];
    expect(order).toEqual([3]);
    releases[1]?.();
    await waiting[1];
    expect(order).toEqual([3, 4]);
  });

  test("refuses a caller that has waited too long, even if no slot is ever released, and admits the next", async () => {
    const limiter = createLimiter({ concurrency: 1, queueMax: 1, waitMaxMs: 50, refuse });
    const release = await limiter.acquire("a");
    await expect(limiter.acquire("b")).rejects.toThrow("busy");
    const next = limiter.acquire("c");
    release();
    expect(await next).toBeTypeOf("function");
  });

  test("limits one key to half of the slots and a quarter of the queue", async () => {
    const limiter = createLimiter({ concurrency: 4, queueMax: 8, waitMaxMs: 60_000, refuse });
    const mine = [await limiter.acquire("busy"), await limiter.acquire("busy")];
    const order: number[] = [];
    const waiting = [1, 2].map((n) => limiter.acquire("busy").then(() => order.push(n)));
    await expect(limiter.acquire("busy")).rejects.toThrow("busy");
    const theirs = [await limiter.acquire("other"), await limiter.acquire("another")];
    theirs[0]?.();
    expect(order).toEqual([]);
    mine[0]?.();
    await waiting[0];
    mine[1]?.();
    await waiting[1];
    expect(order).toEqual([1, 2]);
  });
});
