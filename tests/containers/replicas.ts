import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@collect/testing";
import { check } from "./check.ts";
import type { Deployment } from "./compose.ts";

const REPLICAS = 3;
const CALLERS = 20;
const EVERY_MS = 100;

/** Three gateways behind one address: each gets calls. */
export async function scaleGateway(deployment: Deployment): Promise<void> {
  await scaleTo(deployment, REPLICAS);
  const calls = callAgain(`${deployment.url(4000)}/v1`);
  await until("every replica gets calls", async () => (await replicasWithCalls(deployment)).size === REPLICAS);
  checkAnswers(await calls.stop());
}

/** Callers who keep their connections notice nothing when a replica stops. Returns how many calls were answered meanwhile. */
export async function stopOneGateway(deployment: Deployment): Promise<number> {
  const calls = callAgain(`${deployment.url(4000)}/v1`);
  await until("the callers call", () => calls.answers.length > CALLERS);
  await scaleTo(deployment, REPLICAS - 1);
  const answers = await calls.stop();
  checkAnswers(answers);
  return answers.length;
}

const scaleTo = ({ compose }: Deployment, count: number) =>
  compose("up", "--detach", "--no-build", "--no-recreate", "--wait", "--scale", `gateway=${count}`, "gateway");

/** As the log of each says, which has a line for every call. */
async function replicasWithCalls({ compose }: Deployment): Promise<Set<string>> {
  const lines = (await compose("logs", "--tail", "200", "gateway")).split("\n");
  return new Set(lines.filter((line) => line.includes('"method"')).map((line) => line.split("|")[0]?.trim() ?? ""));
}

function checkAnswers(answers: (number | string)[]): void {
  const others = answers.filter((answer) => answer !== 200);
  check(others.length === 0, `of ${answers.length} calls ${others.length} got ${[...new Set(others)].join(", ")}`);
}

/** Callers with a kept-alive connection each, every tenth of a second. */
function callAgain(url: string) {
  const answers: (number | string)[] = [];
  let isStopped = false;
  const agents = Array.from({ length: CALLERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const calling = agents.map(async (agent) => {
    while (!isStopped) {
      answers.push(await get(url, agent));
      await sleep(EVERY_MS);
    }
    agent.destroy();
  });
  return {
    answers,
    async stop(): Promise<(number | string)[]> {
      isStopped = true;
      await Promise.all(calling);
      return answers;
    },
  };
}

function get(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, timeout: 10_000 }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.once("timeout", () => sent.destroy(new Error("timed out")));
    sent.end();
  });
}
