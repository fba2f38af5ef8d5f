import { type Problem, putStatementPart, type RequestContext } from "@collect/contracts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { putPart, uploaderOf } from "../src/use-cases/put-part.ts";
import { useStatements } from "./world.ts";

const { others, owner, pool } = await useStatements();
const MB = 1024 * 1024;

/** So many waiting bytes that ten more just have room. */
const wait = (hash: string, by: string, age = "0") =>
  owner.query(
    "insert into file_parts (hash, part, data, put_by, put_at) select $1, 1, data, $2, now() - $3::interval from large",
    [hash.repeat(64), by, age],
  );
const dataOf = (bytes: number) => Buffer.alloc(bytes).toString("base64");
const put = (hash: string, by: string, bytes = 10) =>
  putPart(pool, { hash: hash.repeat(64), part: 1, data: dataOf(bytes) }, by).then(
    () => "stored",
    ({ code, errors }: Problem) => errors?.[0]?.code ?? code,
  );
const waiting = async () => (await owner.query("select left(hash, 1) as hash from file_parts order by hash")).rows;

beforeAll(() => owner.query(`create table large as select convert_to(repeat('0', ${64 * MB - 10}), 'UTF8') as data`));
beforeEach(() => owner.query("delete from file_parts"));

test("what one person has waiting has a limit, also for two parts at once, and keeps no other from a file", async () => {
  await wait("a", "ada");
  expect((await Promise.all([put("b", "ada"), put("c", "ada")])).toSorted()).toEqual(["stored", "too_many_parts"]);
  expect(await put("d", "ada")).toBe("too_many_parts");
  expect(await put("e", "bola")).toBe("stored");
  // In the place of the former one.
  expect(await put("a", "ada")).toBe("stored");
  expect(await put("d", "ada")).toBe("stored");
});

test("what all have waiting has a limit", async () => {
  for (const [hash, by] of Object.entries({ a: "ada", b: "bola", c: "chidi", d: "dayo" })) await wait(hash, by);
  expect(await put("e", "efe", 40)).toBe("stored");
  expect(await put("f", "efe", 1)).toBe("service_unavailable");
});

test("parts that were not imported within an hour are removed, and count no more", async () => {
  await wait("a", "ada", "61 minutes");
  await wait("b", "bola", "59 minutes");
  expect(await put("c", "ada", 11)).toBe("stored");
  expect(await waiting()).toEqual([{ hash: "b" }, { hash: "c" }]);
});

test("whose part it is the broker says of a person's own connection, and the server of the operators' pages of a session", async () => {
  const context: RequestContext = { requestId: "r", actor: { kind: "anonymous" } };
  expect(uploaderOf({ uploader: "bola" }, { ...context, operatorAccount: "operator-ada" })).toBe("operator-ada");
  expect(uploaderOf({ uploader: "bola" }, { ...context, operatorAccount: "operator-pages" })).toBe("bola");
  await others.request(putStatementPart, { hash: "f".repeat(64), part: 1, data: dataOf(1), uploader: "bola" });
  expect((await owner.query("select put_by from file_parts")).rows).toEqual([{ put_by: "operator" }]);
});
