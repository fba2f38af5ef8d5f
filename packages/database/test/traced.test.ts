import { expect, test } from "vitest";
import { summaryOf } from "../src/traced.ts";

test.each([
  ["begin", "begin"],
  ["select 1", "select"],
  ["select a from sessions where id = $1 for update skip locked", "select sessions"],
  ['SELECT "public"."merchants"."id" FROM "public"."merchants" WHERE "id" = $1', "select merchants"],
  ["select * from unnest($1::text[]) as given (id) join payers using (id)", "select payers"],
  ["with due as (select id from deliveries) select * from due", "select deliveries"],
  ["insert into payers (name) values ($1) on conflict (id) do update set name = excluded.name", "insert payers"],
  [
    "with posted as (insert into transactions select 1 returning id), moved as materialized (update balances set a = 1) select * from posted",
    "insert transactions update balances",
  ],
  ["delete from only challenges where at < $1", "delete challenges"],
  ["select 'Ada Obi'", "select"],
])("a trace says of a statement what it does to which tables, and nothing that is in it: %s", (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
