import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type BankPartner, NotOpened } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { aHintingPartner } from "./partners-world.ts";

export type PoolBank = {
  url: string;
  /** The names of its accounts by number, in the order in which they were opened. */
  accounts: Map<string, string>;
  /** How often it was asked to open an account, and to rename one. */
  opened: number;
  renamed: number;
  /** Whether it answers what it has done; otherwise the connection breaks. */
  answers: boolean;
  /** Whether it has reached the number of accounts that it opens. */
  isFull: boolean;
  /** Whether it is there at all. */
  isUp: boolean;
  /** The next number; by default a new one. */
  next(): string;
  stop(): void;
};

let serial = 0;

/** A bank without an idempotency key: a real HTTP server, at which every opening opens another account. */
export async function startPoolBank(): Promise<PoolBank> {
  const server = createServer(async (request, response) => {
    const { name, number } = (await json(request)) as { name: string; number?: string };
    if (!bank.isUp) return void response.writeHead(503).end();
    if (number === "check") return void response.end("{}");
    if (number === undefined) {
      bank.opened++;
      if (bank.isFull) return void response.writeHead(409).end();
      const opened = bank.next();
      bank.accounts.set(opened, name);
      return answer(response, { number: opened });
    }
    bank.renamed++;
    bank.accounts.set(number, name);
    answer(response, { number });
  });
  const answer = (response: ServerResponse, body: object) =>
    bank.answers ? void response.end(JSON.stringify(body)) : void response.destroy();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bank: PoolBank = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts: new Map(),
    ...{ opened: 0, renamed: 0, answers: true, isFull: false, isUp: true },
    next: () => String(++serial).padStart(10, "8"),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return bank;
}

/** The adapter of that bank. */
export function aPoolPartner(url: string): BankPartner {
  async function call(body: object): Promise<string> {
    const failed = () => new Problem("provider_error", "The bank failed.");
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) }).catch(() =>
      Promise.reject(failed()),
    );
    if (response.status === 409) throw new NotOpened("the limit is reached");
    if (!response.ok) throw failed();
    return ((await response.json()) as { number: string }).number;
  }
  return {
    ...aHintingPartner(),
    id: "pooling",
    name: "Pooling Bank",
    issuer: {
      kind: "from_pool",
      needs: [],
      openAccount: async ({ accountName }) => ({
        ...{ accountNumber: await call({ name: accountName }), accountName },
        ...{ bankCode: "888", bankName: "Pooling Bank" },
      }),
      renameAccount: async ({ accountNumber, accountName }) => {
        await call({ number: accountNumber, name: accountName });
        return `POOLING/${accountName}`;
      },
    },
    check: async () => {
      const response = await fetch(url, { method: "POST", body: JSON.stringify({ number: "check" }) });
      return [{ name: "credentials", isOk: response.ok, detail: "Tried." }];
    },
  };
}
