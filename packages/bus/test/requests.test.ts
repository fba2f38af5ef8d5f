import {
  type Actor,
  confirmEpoch,
  getBalance,
  type Mode,
  Problem,
  type ProblemCode,
  type RequestContext,
} from "@collect/contracts";
import { byMode, createPool, type Pool } from "@collect/database";
import { expect, test } from "vitest";
import { answer, serveRequests } from "../src/index.ts";
import { log, useBus } from "./world.ts";

const { world, bus } = await useBus("gateway");
let balance: (merchantId: string) => Promise<bigint> = async () => 0n;

const KEY: Actor = { kind: "key", key: "sk_test_…3xYz", name: "Läger" };
const CONTEXT: RequestContext = { requestId: "req_1", clientRequestId: "ops_1", actor: KEY };
const requestBalance = (id = "mer_1") => bus.request(getBalance, { merchant: { id, mode: "test" } }, CONTEXT);

test("without a responder the request fails immediately", async () => {
  await expect(requestBalance()).rejects.toMatchObject({ code: "service_unavailable" });
});

test("a service cannot send a request that does not name it as a caller", async () => {
  await expect(bus.request(confirmEpoch.ledger, { service: "accounts", epoch: 1 })).rejects.toThrow(
    "ledger.epoch.confirm does not name gateway as a caller",
  );
});

test("a response is encoded by the contract, a refusal is a problem, an internal error does not reveal its cause", async () => {
  const requests = serveRequests(bus, {
    service: "ledger",
    log,
    requests: [
      answer(getBalance, async ({ merchant }, context) => {
        expect(context).toEqual(CONTEXT);
        const collected = await balance(merchant.id);
        return {
          mode: merchant.mode,
          currency: "NGN" as const,
          collected,
          settled: 0n,
          as_of: "2026-11-21T09:30:00.000+00:00",
          ledger_sequence: 3,
        };
      }),
    ],
  });
  await requests.start();
  balance = async () => 250_073n;
  expect(await requestBalance()).toMatchObject({ collected: 2500.73, settled: 0, ledger_sequence: 3 });

  balance = () => Promise.reject(new Problem("not_found", "no such merchant"));
  await expect(requestBalance()).rejects.toMatchObject({ code: "not_found", detail: "no such merchant" });

  balance = () => Promise.reject(new Problem("rate_limited", "all spent", { retryAfterS: 60 }));
  await expect(requestBalance()).rejects.toMatchObject({ code: "rate_limited", retryAfterS: 60 });

  balance = () => Promise.reject(new Problem("of_a_later_release" as ProblemCode, "cannot"));
  await expect(requestBalance()).rejects.toMatchObject({ code: "internal_error", detail: "cannot" });

  balance = () => Promise.reject(new Error("password=hunter2"));
  const internalError = await requestBalance().catch((error) => error);
  expect(internalError.code).toBe("internal_error");
  expect(JSON.stringify(internalError)).not.toContain("hunter2");

  const invalid = await requestBalance("").catch((error) => error);
  expect(invalid).toMatchObject({ code: "validation_failed", errors: [{ param: "merchant.id" }] });
  await requests.stop();
});

test("requests use the connections of their mode: waiting test requests do not delay live ones", async () => {
  const testPool = createPool({ url: world.url, service: "bus", log, max: 1 });
  const taken = await testPool.connect();
  const answerBalances = (pool: Pool) => [
    answer(getBalance, async ({ merchant }) => {
      await pool.query("select 1");
      const amounts = { collected: 0n, settled: 0n, ledger_sequence: 0 };
      return { mode: merchant.mode, currency: "NGN" as const, as_of: "2026-11-21T09:30:00.000+00:00", ...amounts };
    }),
  ];
  const requests = byMode({ live: world.pool, test: testPool }, answerBalances);
  const serving = serveRequests(bus, { service: "ledger", log, requests });
  await serving.start();
  const requestBalance = (mode: Mode) => bus.request(getBalance, { merchant: { id: "mer_1", mode } });
  let answered = 0;
  const flood = Array.from({ length: 50 }, () => requestBalance("test").finally(() => answered++));
  for (let call = 0; call < 20; call++) expect(await requestBalance("live")).toMatchObject({ mode: "live" });
  expect(answered).toBe(0);
  taken.release();
  expect(new Set((await Promise.all(flood)).map(({ mode }) => mode))).toEqual(new Set(["test"]));
  await serving.stop();
  await testPool.end();
});
