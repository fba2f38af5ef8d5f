import { collectionRecorded, type Mode, sessionChanged, transferRecorded } from "@collect/contracts";
import { createHttpApp, httpServer } from "@collect/http";
import { freePort } from "@collect/servers";
import { startComponents, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { createCookies } from "../src/http/cookies.ts";
import { createLive } from "../src/http/live-updates.ts";
import { createSessions } from "../src/http/sessions.ts";
import { aMember, type Browser, type Dashboard, startDashboard } from "./dashboard.ts";
import { useDashboardWorld } from "./world.ts";

const MERCHANT = "mer_live";

const world = await useDashboardWorld();
const dashboard = await startDashboard(world);
afterAll(dashboard.stop);

const aViewer = (merchantId = MERCHANT) => aMember(world, dashboard, { merchantId, role: "viewer" });

/** An open page: what it was told, and whether it still listens. */
async function listen(person: Pick<Browser, "raw">, merchantId = MERCHANT, mode: Mode = "test") {
  const response = await person.raw("GET", `/api/m/${merchantId}/${mode}/live`);
  const page = { response, told: [] as string[][], text: "", open: true };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      page.text += decoder.decode(chunk, { stream: true });
      page.told = [...page.text.matchAll(/event: changed\ndata: (.*)\n\n/g)].map(
        ([, data = ""]) => JSON.parse(data).what,
      );
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      page.open = false;
    });
  await until("the page is connected", () => page.text.includes("retry:"));
  return page;
}

const tell = (event: { subject: string }, facts: object[], mode: Mode = "test") =>
  world.others.nats.publish(`${event.subject}.${mode}.0`, JSON.stringify(facts));
const about = (id: string, mode: Mode = "test") => ({ merchant: { id, mode } });

test("a page of the merchant and mode is notified of a change, and no other page is", async () => {
  const viewer = await aViewer();
  const stranger = await aViewer("mer_elsewhere");
  const [page, live, foreign] = [
    await listen(viewer),
    await listen(viewer, MERCHANT, "live"),
    await listen(stranger, "mer_elsewhere"),
  ];
  expect(page.response.headers.get("content-type")).toBe("text/event-stream");
  expect(page.response.headers.get("cache-control")).toBe("private, no-store");
  tell(collectionRecorded, [about("mer_unknown"), about(MERCHANT)]);
  await until("the page is told", () => page.told.length > 0);
  expect(page.told[0]).toEqual(["collections", "deliveries", "events"]);
  // What is sent a moment after it was recorded is looked at a moment later.
  await until("the page is told again", () => page.told.length > 1);
  expect(page.told[1]).toEqual(["deliveries"]);
  tell(sessionChanged, [about(MERCHANT, "live")], "live");
  await until("the other mode is told", () => live.told.length > 0);
  tell(transferRecorded, [about("mer_elsewhere")]);
  await until("the other merchant is told", () => foreign.told.length > 0);
  expect([page.told.length, live.told, foreign.told[0]]).toEqual([
    2,
    [["sessions"]],
    ["transfers", "deliveries", "events"],
  ]);
});

test("a flood of changes is reported about once a second, whatever their kinds; unreadable messages are skipped", async () => {
  const page = await listen(await aViewer());
  const started = performance.now();
  for (let n = 0; n < 2_000; n++) tell(n % 2 ? sessionChanged : collectionRecorded, [about(MERCHANT)]);
  tell(sessionChanged, [{}, { merchant: 1 }]);
  tell(sessionChanged, [about(MERCHANT)]);
  await until("the page is told", () => page.told.length > 1);
  expect(page.told.length).toBeLessThanOrEqual(2 + (performance.now() - started) / 1_000);
  expect(page.told[0]).toEqual(["collections", "sessions", "deliveries", "events"]);
});

test("a caller without access is not connected, and the open pages of a session are limited", async () => {
  const stranger = await aViewer("mer_elsewhere");
  expect((await stranger.get(`/api/m/${MERCHANT}/test/live`)).status).toBe(404);
  const viewer = await aViewer();
  const pages = [];
  for (let n = 0; n < 12; n++) pages.push(await listen(viewer));
  expect((await viewer.get(`/api/m/${MERCHANT}/test/live`)).body.code).toBe("rate_limited");
  await pages[0]?.response.body?.cancel().catch(() => {});
  const other = await aViewer();
  expect((await other.raw("GET", `/api/m/${MERCHANT}/test/live`)).status).toBe(200);
});

test("the open pages of a user are limited across sessions", async () => {
  const viewer = await aViewer();
  const sessions = [viewer, await viewer.again(), await viewer.again()];
  for (const session of sessions.slice(0, 2)) for (let n = 0; n < 12; n++) await listen(session);
  expect((await sessions[2]?.get(`/api/m/${MERCHANT}/test/live`))?.body.code).toBe("rate_limited");
});

test("the open pages of a merchant are limited across its members, without turning other merchants away", async () => {
  const port = await freePort();
  const { config } = dashboard;
  const sessions = createSessions({ pool: world.pool, cookies: createCookies(config), config });
  const live = createLive({ ...world, config, sessions, perMerchantMax: 2 });
  const app = createHttpApp({ log: world.log, routes: live.route });
  const stop = await startComponents([httpServer({ app, host: "127.0.0.1", port, log: world.log }), live.component]);
  const small: Dashboard = { ...dashboard, url: `http://127.0.0.1:${port}` };
  const member = (merchantId: string) => aMember(world, small, { merchantId, role: "viewer" });
  for (let n = 0; n < 2; n++) await listen(await member(MERCHANT));
  const third = await member(MERCHANT);
  for (const mode of ["test", "live"])
    expect((await third.get(`/api/m/${MERCHANT}/${mode}/live`)).body.code).toBe("rate_limited");
  expect((await (await member("mer_elsewhere")).raw("GET", "/api/m/mer_elsewhere/test/live")).status).toBe(200);
  await stop();
});

test("comments keep it alive; it ends when the session is revoked, the member removed, and when the service stops", async () => {
  const port = await freePort();
  const config = { ...dashboard.config, APP_URL: dashboard.config.APP_URL };
  const sessions = createSessions({ pool: world.pool, cookies: createCookies(config), config });
  const live = createLive({ ...world, config, sessions, everyMs: { comment: 30, check: 50 } });
  const app = createHttpApp({ log: world.log, routes: live.route });
  const stop = await startComponents([httpServer({ app, host: "127.0.0.1", port, log: world.log }), live.component]);
  const fast: Dashboard = { ...dashboard, url: `http://127.0.0.1:${port}` };
  const member = () => aMember(world, fast, { merchantId: MERCHANT, role: "viewer" });
  const [revoked, removed, staying] = [await member(), await member(), await member()];
  const pages = [await listen(revoked), await listen(removed), await listen(staying)];
  await until("comments come", () => pages.every(({ text }) => text.includes(":\n\n")));
  await world.owner.query("delete from sessions where user_id = $1", [revoked.id]);
  await until("the revoked one is over", () => !pages[0]?.open);
  await world.owner.query("delete from members where user_id = $1", [removed.id]);
  await until("the removed one is over", () => !pages[1]?.open);
  expect(pages[2]?.open).toBe(true);
  await stop();
  await until("all are over", () => !pages[2]?.open);
});
