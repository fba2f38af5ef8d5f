import { describe, expect, test } from "vitest";
import { type CheckState, createReadiness, NotReady } from "../src/index.ts";

type Change = [string, CheckState["status"], unknown];

function watched(
  checks: Record<string, () => Promise<void>>,
  times: { rememberedMs?: number; withinMs?: number } = {},
) {
  const changes: Change[] = [];
  const onChange = (name: string, { status }: CheckState, error: unknown) => void changes.push([name, status, error]);
  return { changes, read: createReadiness({ checks, onChange, ...times }) };
}

describe("readiness", () => {
  test("probes, however many, run a check once while its result is fresh", async () => {
    let runs = 0;
    const { read } = watched({ database: async () => void runs++ });
    await Promise.all(Array.from({ length: 50 }, read));
    expect(await read()).toMatchObject({ database: { status: "ok" } });
    expect(runs).toBe(1);
  });

  test("says since when a check fails, and reports the change once", async () => {
    let isDown = false;
    const down = new Error("password authentication failed");
    const { read, changes } = watched(
      {
        database: async () => {
          if (isDown) throw down;
        },
      },
      { rememberedMs: 0 },
    );
    const { database: before } = await read();
    isDown = true;
    const { database: failed } = await read();
    expect(await read()).toEqual({ database: failed });
    expect(failed).toEqual({ status: "failed", since: expect.any(String) });
    expect(Date.parse(failed?.since ?? "")).toBeGreaterThanOrEqual(Date.parse(before?.since ?? ""));
    isDown = false;
    expect(await read()).toMatchObject({ database: { status: "ok" } });
    expect(changes).toEqual([
      ["database", "failed", down],
      ["database", "ok", undefined],
    ]);
  });

  test("shows a reason that is meant to be shown, and no other error", async () => {
    const { read } = watched({
      bus: async () => {
        throw new NotReady("the message broker is unreachable");
      },
      database: async () => {
        throw new Error("password=hunter2");
      },
    });
    const states = await read();
    expect(states.bus).toMatchObject({ status: "failed", reason: "the message broker is unreachable" });
    expect(JSON.stringify(states)).not.toContain("hunter2");
  });

  test("a check that hangs fails in time, does not hold up the others, and is not begun again before it ends", async () => {
    const { promise: hung, resolve: end } = Promise.withResolvers<void>();
    let runs = 0;
    const check = () => {
      runs++;
      return hung;
    };
    const { read } = watched({ database: check, bus: async () => {} }, { rememberedMs: 0, withinMs: 10 });
    for (let probe = 0; probe < 3; probe++)
      expect(await read()).toMatchObject({
        database: { status: "failed", reason: "no answer in time" },
        bus: { status: "ok" },
      });
    expect(runs).toBe(1);
    end();
    await hung;
    expect(await read()).toMatchObject({ database: { status: "ok" } });
    expect(runs).toBe(2);
  });
});
