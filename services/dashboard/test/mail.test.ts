import { openMailbox, until } from "@collect/testing";
import { expect, test } from "vitest";
import { sendMails } from "../src/workers/mail.ts";
import { signedUp, startDashboard } from "./dashboard.ts";
import { useMail } from "./world.ts";

const { world, dashboard, mailbox, stop } = await useMail({ MAIL_FROM: "Collect <mail@collect.example>" });

const queued = async (recipient: string) =>
  (
    await world.owner.query("select kind, attempts, due_at, sent_at, failure from mails where recipient = $1", [
      recipient,
    ])
  ).rows;
const queue = (recipient: string, occasion = `test:${recipient}`) =>
  world.owner.query("insert into mails (occasion, recipient, kind, detail) values ($1, $2, 'password_changed', $3)", [
    occasion,
    recipient,
    { at: "2026-11-22T09:30:00Z" },
  ]);

test("a mail has a sender, a text, simple HTML and an id of its own", async () => {
  await queue("plain@example.com");
  const [mail] = await mailbox.untilMailed("plain@example.com", "Your password was changed");
  expect(mail).toMatchObject({
    from: "mail@collect.example",
    text: expect.stringContaining("22 November 2026 at 10:30, Lagos time"),
    html: expect.stringContaining(`href="${dashboard.config.APP_URL}/forgot-password"`),
    messageId: expect.stringMatching(/^<[0-9a-f]{40}@localhost>$/),
  });
});

test("replicas send each mail once between them", async () => {
  const second = await startDashboard(world, { SMTP_URL: mailbox.url });
  await world.owner.query(
    `insert into mails (occasion, recipient, kind, detail)
     select 'many', 'many' || n || '@example.com', 'password_changed', '{"at":"2026-11-22T09:30:00Z"}' from generate_series(1, 60) n`,
  );
  await until("all are sent", async () => {
    const { rows } = await world.owner.query("select 1 from mails where occasion = 'many' and sent_at is null");
    return rows.length === 0;
  });
  await second.stop();
  const recipients = mailbox.mails.map(({ to }) => to).filter((to) => to.startsWith("many"));
  expect([recipients.length, new Set(recipients).size]).toEqual([60, 60]);
});

test("what a dead process had accepted is sent again under the same id", async () => {
  await queue("again@example.com");
  const [first] = await mailbox.untilMailed("again@example.com", "Your password was changed");
  await until("it is recorded", async () => (await queued("again@example.com"))[0]?.sent_at !== null);
  // As if the process had died after the server took it: the lease ends without a record.
  await world.owner.query(
    "update mails set sent_at = null, due_at = clock_timestamp() where recipient = 'again@example.com'",
  );
  const [, second] = await mailbox.untilMailed("again@example.com", "Your password was changed", 2);
  expect(second).toEqual(first);
});

test("a refused recipient is given up; a server that is busy is tried again later", async () => {
  mailbox.refuse({ code: 550, text: "no such user" });
  await queue("nobody@example.com");
  await until("it is given up", async () => (await queued("nobody@example.com"))[0]?.due_at === null);
  mailbox.refuse({ code: 451, text: "try again later" });
  await queue("busy@example.com");
  await until("it has failed", async () => (await queued("busy@example.com"))[0]?.failure !== null);
  mailbox.refuse();
  const [[nobody], [busy]] = [await queued("nobody@example.com"), await queued("busy@example.com")];
  expect(nobody).toMatchObject({ attempts: 1, sent_at: null, failure: expect.stringContaining("no such user") });
  expect(Date.parse(busy.due_at) - Date.now()).toBeGreaterThan(20_000);
  await world.owner.query("update mails set due_at = clock_timestamp() where recipient = 'busy@example.com'");
  await mailbox.untilMailed("busy@example.com", "Your password was changed");
});

test("mails wait while the mail server is down", async () => {
  const down = await openMailbox();
  await down.close();
  const config = { ...dashboard.config, SMTP_URL: down.url };
  const worker = sendMails({ pool: world.pool, config, log: world.log });
  await stop();
  await queue("waiting@example.com");
  await worker.start();
  await until("an attempt has failed", async () => (await queued("waiting@example.com"))[0]?.failure !== null);
  await worker.stop();
  expect((await queued("waiting@example.com"))[0]).toMatchObject({ attempts: 1, sent_at: null });
  expect((await queued("waiting@example.com"))[0].due_at).not.toBeNull();
});

test("without a mail server nothing is queued, and what happened is forgotten", async () => {
  const silent = await startDashboard(world);
  const { email } = await signedUp(silent);
  await until("the notices are gone", async () => {
    const { rows } = await world.owner.query("select 1 from notices where due_at <= clock_timestamp()");
    return rows.length === 0;
  });
  expect(await queued(email)).toEqual([]);
  await silent.stop();
});
