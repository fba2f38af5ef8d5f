import { once } from "node:events";
import { verifyWebhook } from "@collect/sdk";
import { expect, onTestFinished, test } from "vitest";
import { start } from "./binary.ts";
import { logged, serve, serveLog } from "./servers.ts";

/** The binary, listening; killed at the end of the test if it is still there. */
function listen(api: { url: string }, ...args: string[]) {
  const running = start(["listen", "--key", "sk_test_abc", "--base-url", `${api.url}/v1`, ...args]);
  onTestFinished(() => void running.child.kill("SIGKILL"));
  return running;
}

test("events are forwarded as deliveries are: the same bytes, signed with the secret that it prints", async () => {
  const api = await serveLog([logged(1), logged(2)]);
  const server = await serve((_request, response) => void response.writeHead(204).end());
  const running = listen(api, "--forward-to", `${server.url}/hook`);
  await expect.poll(() => api.isWaitedFor()).toBe(true);
  api.append(logged(3));
  await expect.poll(() => server.received.length).toBe(1);
  const [{ url, headers, body } = { url: undefined, headers: {}, body: Buffer.alloc(0) }] = server.received;
  const [, secret = ""] = /Signing secret: (\S+)/.exec(running.printed()) ?? [];
  expect(url?.pathname).toBe("/hook");
  expect(body.toString()).toBe(logged(3).body);
  expect(verifyWebhook(body, headers, secret).data).toMatchObject({ reference: "col_3" });
  expect(headers).toMatchObject({
    "user-agent": "Collect-Webhooks/1",
    "x-service-event": "collection.success",
    "x-service-sequence": "3",
    "webhook-id": "evt_3",
  });
  await expect.poll(running.printed).toMatch(/3 {2}\S+ {2}collection\.success {2}col_3 {2}→ 204/);
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/--from 4\n$/) });
});

test("what the server does with an event does not stop the others", async () => {
  const api = await serveLog([logged(1), logged(2), logged(3)]);
  const answers = [500, 301];
  const server = await serve((_request, response) => {
    const status = answers.shift();
    if (status === undefined) response.destroy();
    else response.writeHead(status, { location: "/elsewhere" }).end();
  });
  const running = listen(api, "--forward-to", server.url, "--from", "1", "--json", "--secret", "whsec_AAAA");
  const lines = () =>
    running
      .printed()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await expect.poll(() => lines().length).toBe(4);
  expect(lines()).toMatchObject([
    { listening: { mode: "test", from: 1, forward_to: `${server.url}/` } },
    { sequence: 1, forwarded: { status: 500, error: null } },
    { sequence: 2, forwarded: { status: 301, error: null } },
    { sequence: 3, forwarded: { status: null, error: expect.any(String) } },
  ]);
  expect(server.received).toHaveLength(3);
  // It may be that of a webhook.
  expect(running.printed()).not.toContain("whsec_AAAA");
});

test("after a break of the API it goes on from the last event, with none lost or repeated", async () => {
  const api = await serveLog([logged(1)], { breaks: 2 });
  const running = listen(api, "--from", "1", "--json");
  const numbers = () => running.printed().match(/(?<="sequence":)\d+/g) ?? [];
  await expect.poll(numbers).toEqual(["1"]);
  api.append(logged(2));
  await expect.poll(numbers).toEqual(["1", "2"]);
});

test("it exits with 1 on a gap in the log, and says where to go on; and on a log that ends before its beginning", async () => {
  const api = await serveLog([logged(1), logged(4)]);
  const { code, stdout, stderr } = await listen(api, "--from", "1").ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^event_gap: .* no events 2 to 3\. .* from event 4 /)]);
  expect(stdout).toContain("col_1");
  expect(await listen(api, "--from", "9").ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ends before event 8/),
  });
});

test("it ends quietly when its reader does", async () => {
  const api = await serveLog([logged(1)]);
  const running = listen(api, "--from", "1");
  await expect.poll(running.printed).toContain("col_1");
  const exited = once(running.child, "exit");
  running.ended.catch(() => "what it printed was not read to its end");
  running.child.stdout.destroy();
  api.append(logged(2));
  expect(await exited).toEqual([0, null]);
});

test("an event whose forwarding was interrupted is where the next session begins", async () => {
  const api = await serveLog([logged(1)]);
  const silent = await serve(() => {});
  const running = listen(api, "--forward-to", silent.url, "--from", "1");
  await expect.poll(() => silent.received.length).toBe(1);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/--from 1\n$/) });
});
