import { createHmac } from "node:crypto";
import express from "express";
import { batches, open, type Report, STAGES } from "./stage.ts";

type Waiting = { report: Report; raw: string; answer(): void };

const { js, insert } = await open("accounts");
const take = batches<Waiting>(async (batch) => {
  await insert(
    batch.map(({ report }) => report),
    batch.map(({ raw }) => raw),
  );
  for (const { answer } of batch) answer();
  void Promise.all(batch.map(({ raw }) => js.publish(STAGES.accounts, raw)));
});

const app = express();
app.disable("etag");
app.post("/bank/transfers", express.raw({ type: () => true }), (request, response) => {
  createHmac("sha512", process.env.DOOR_SECRET ?? "")
    .update(request.body)
    .digest("hex");
  const raw = request.body.toString();
  take({ report: JSON.parse(raw), raw, answer: () => response.json({ ok: true }) });
});
app.listen(Number(process.env.DOOR_PORT), "127.0.0.1", () => console.log("ready"));
