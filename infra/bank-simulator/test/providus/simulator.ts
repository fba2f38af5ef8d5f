import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { type BankReport, createProvidus, type NotificationOutcome, type ProvidusPartner } from "@collect/bank";
import { onTestFinished } from "vitest";
import { simulateProvidus } from "../../src/providus/bank.ts";
import { type ApiResponse, addressOf, HANGING_MS, log, PATIENT_MS, served } from "../simulator.ts";

export const access = {
  clientId: "collect",
  clientSecret: "client-secret-of-the-tests",
  userName: "collect",
  password: "password-of-the-tests",
  sourceAccount: "1700313889",
};

type Options = {
  dataDirectory?: string;
  /** What the door answers instead of taking what is confirmed, for each notification in turn. Ours never says 02. */
  answers?: (NotificationOutcome | "02")[];
  /** Credentials of ours that differ from the bank's. */
  ours?: { clientSecret?: string; password?: string };
};

/** The simulated bank with the adapter on both sides of it: as its client, and behind the door to which it reports. */
export async function providus({ dataDirectory, answers = [], ours = {} }: Options = {}) {
  const door = await openDoor(answers);
  const bank = simulateProvidus({ log, access, doorUrl: door.url, dataDirectory });
  const { url: root, stop } = await served(bank);
  const url = `${root}/providus`;
  const { clientId, clientSecret, userName, password, sourceAccount } = { ...access, ...ours };
  const source = { sourceAccountNumber: sourceAccount, sourceAccountName: "Collect" };
  const partnerWithin = (timeoutMs: number) => {
    const payoutOptions = { url: `${url}/postingrest`, userName, password, ...source, timeoutMs };
    const options = { businessName: "MERCHANT", payouts: payoutOptions };
    const { payouts, ...partner } = createProvidus({ url, clientId, clientSecret, timeoutMs, ...options });
    if (!payouts) throw new Error("payouts are configured");
    return { ...partner, payouts };
  };
  const partner = partnerWithin(PATIENT_MS);
  door.serve(partner);

  async function call(method: string, path: string, body?: object): Promise<ApiResponse> {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/control${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  return {
    ...door,
    ...{ url, stop, partner },
    /** The partner as it is called where the bank behaves like this: a call that hangs ends. */
    partnerFor: (behaviour: string) => (behaviour === "timeout" ? partnerWithin(HANGING_MS) : partner),
    control: (path: string, body: object) => call("POST", path, body),
    shown: async (path: string) => (await call("GET", path)).body,
  };
}

/** A door that takes each confirmed transfer once, in the order of ours: authenticate, parse, confirm, commit, answer. */
async function openDoor(answers: (NotificationOutcome | "02")[]) {
  const [taken, claims, bodies]: [BankReport[], (BankReport | undefined)[], string[]] = [[], [], []];
  let partner: ProvidusPartner | undefined;
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request, await buffer(request));
    response.writeHead(answer?.status ?? 500).end(JSON.stringify(answer?.body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  async function answerTo({ headers, url }: IncomingMessage, body: Buffer) {
    bodies.push(body.toString());
    if (!partner || url !== partner.notifications.path) return undefined;
    const { notifications } = partner;
    if (!notifications.authenticate({ headers, body })) return notifications.answer("rejected");
    const claimed = notifications.parse(body);
    claims.push(claimed);
    const scripted = answers.shift();
    if (scripted === "02") return { status: 200, body: { responseCode: scripted } };
    if (scripted) return notifications.answer(scripted, claimed);
    const confirmed = claimed && (await notifications.confirm?.(claimed));
    if (!confirmed) return notifications.answer("failed", claimed);
    const isKnown = taken.some(({ id }) => id === confirmed.id);
    if (!isKnown) taken.push(confirmed);
    return notifications.answer(isKnown ? "duplicate" : "accepted", confirmed);
  }

  return {
    ...{ taken, claims, bodies, url: addressOf(server.address()) },
    serve(given: ProvidusPartner) {
      partner = given;
    },
  };
}
