import { expect, test } from "vitest";
import { createKeyedQueue } from "../src/index.ts";

const aQueue = (waitingMax = 10) => createKeyedQueue({ waitingMax, refuse: () => new Error("the queue is full") });
/** Work that is done when it is told to. */
function aTask() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const task = { hasBegun: false, end: () => resolve("done"), fail: () => reject(new Error("it failed")) };
  const work = () => {
    task.hasBegun = true;
    return promise;
  };
  return { task, work };
}

test("work under one key is done one after another, and other keys do not wait for it", async () => {
  const enqueue = aQueue();
  const [first, second, other] = [aTask(), aTask(), aTask()];
  const answers = [enqueue("a", first.work), enqueue("a", second.work), enqueue("b", other.work)];
  other.task.end();
  expect(await answers[2]).toBe("done");
  expect([first.task.hasBegun, second.task.hasBegun]).toEqual([true, false]);
  first.task.end();
  await answers[0];
  second.task.end();
  expect(await answers[1]).toBe("done");
});

test("what fails is told to its caller alone, and the next has its turn", async () => {
  const enqueue = aQueue();
  const [first, second] = [aTask(), aTask()];
  const failed = expect(enqueue("a", first.work)).rejects.toThrow("it failed");
  const answer = enqueue("a", second.work);
  second.task.end();
  first.task.fail();
  await failed;
  expect(await answer).toBe("done");
});

test("with the line full the next is refused, unless it must not be, and once it is shorter the next is taken again", async () => {
  const enqueue = aQueue(1);
  const first = aTask();
  const answers = [enqueue("a", first.work), enqueue("a", async () => "done")];
  await expect(enqueue("a", async () => "done")).rejects.toThrow("the queue is full");
  answers.push(enqueue("a", async () => "done", { isRefusable: false }));
  expect(await enqueue("b", async () => "done")).toBe("done");
  first.task.end();
  expect(await Promise.all(answers)).toEqual(["done", "done", "done"]);
  expect(await enqueue("a", async () => "done")).toBe("done");
});
