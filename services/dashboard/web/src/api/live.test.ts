import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { changesFor, readerOf } from "./live.ts";

const SCOPE = ["mer_1", "test"];

/** A query whose duration the test controls. */
function watch(client: QueryClient, noun: string) {
  const reads: PromiseWithResolvers<number>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [...SCOPE, noun, noun, {}],
    queryFn: () => {
      const read = Promise.withResolvers<number>();
      reads.push(read);
      return read.promise;
    },
  });
  observer.subscribe(() => {});
  const finish = async (nth: number) => {
    await expect.poll(() => reads.length).toBeGreaterThan(nth);
    reads[nth]?.resolve(nth);
    await expect.poll(() => observer.getCurrentResult().data).toBe(nth);
  };
  return { reads, finish };
}

test("an update refetches the queries it concerns, and no others", async () => {
  const client = new QueryClient();
  const [balance, banks] = [watch(client, "balance"), watch(client, "banks")];
  await Promise.all([balance.finish(0), banks.finish(0)]);
  readerOf(client, SCOPE)("balance");
  await balance.finish(1);
  expect([balance.reads.length, banks.reads.length]).toEqual([2, 1]);
});

test("updates faster than a read never cancel it, and cause one more read at the end", async () => {
  const client = new QueryClient();
  const balance = watch(client, "balance");
  await balance.finish(0);
  const readAgain = readerOf(client, SCOPE);
  for (let news = 0; news < 5; news++) readAgain("balance");
  await balance.finish(1);
  await balance.finish(2);
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(balance.reads).toHaveLength(3);
});

test("an update during the first read causes one more: the first may have been too early", async () => {
  const client = new QueryClient();
  const balance = watch(client, "balance");
  readerOf(client, SCOPE)("balance");
  await balance.finish(0);
  await balance.finish(1);
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(balance.reads).toHaveLength(2);
});

test("after updates may have been missed, every query of the merchant and mode is refetched", async () => {
  const client = new QueryClient();
  const [balance, banks] = [watch(client, "balance"), watch(client, "banks")];
  await Promise.all([balance.finish(0), banks.finish(0)]);
  readerOf(client, SCOPE)();
  await Promise.all([balance.finish(1), banks.finish(1)]);
});

test.each(["collections", "sessions", "transfers"])("changes of %s refetch the Inbox, several of them once", (kind) => {
  vi.useFakeTimers();
  const read: string[] = [];
  const changes = changesFor((noun) => read.push(noun));
  for (let news = 0; news < 3; news++) changes.report([kind]);
  expect(read.filter((noun) => noun === kind)).toHaveLength(3);
  expect(read).not.toContain("inbox");
  vi.advanceTimersByTime(10_000);
  changes.report([kind]);
  changes.end();
  vi.advanceTimersByTime(10_000);
  expect(read.filter((noun) => noun === "inbox")).toHaveLength(1);
  vi.useRealTimers();
});
