import { expect, test } from "vitest";
import { createTurns } from "../src/handlers/turns.ts";

const turns = (waitingMax = 10) => createTurns({ waitingMax, refuse: () => new Error("the line is full") });
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
  const inTurn = turns();
  const [first, second, other] = [aTask(), aTask(), aTask()];
  const answers = [inTurn("a", first.work), inTurn("a", second.work), inTurn("b", other.work)];
  other.task.end();
  expect(await answers[2]).toBe("done");
  expect([first.task.hasBegun, second.task.hasBegun]).toEqual([true, false]);
  first.task.end();
  await answers[0];
  second.task.end();
  expect(await answers[1]).toBe("done");
});

test("what fails is told to its caller alone, and the next has its turn", async () => {
  const inTurn = turns();
  const [first, second] = [aTask(), aTask()];
  const failed = expect(inTurn("a", first.work)).rejects.toThrow("it failed");
  const answer = inTurn("a", second.work);
  second.task.end();
  first.task.fail();
  await failed;
  expect(await answer).toBe("done");
});

test("with the line full the next is refused, and once it is shorter the next is taken again", async () => {
  const inTurn = turns(1);
  const first = aTask();
  const answers = [inTurn("a", first.work), inTurn("a", async () => "done")];
  await expect(inTurn("a", async () => "done")).rejects.toThrow("the line is full");
  expect(await inTurn("b", async () => "done")).toBe("done");
  first.task.end();
  expect(await Promise.all(answers)).toEqual(["done", "done"]);
  expect(await inTurn("a", async () => "done")).toBe("done");
});
