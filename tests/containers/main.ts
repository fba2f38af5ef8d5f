import { check } from "./check.ts";
import { createDeployment, type Deployment, engineAnswers } from "./compose.ts";
import { collect, createMerchant, payOnCheckout } from "./merchant.ts";
import { useRealProtocol } from "./partners.ts";
import { scaleGateway, stopOneGateway } from "./replicas.ts";
import { closeDay } from "./statements.ts";

/**
 * npm run containers: builds the images, brings docker-compose.yml up, plays the main job in both modes and by the protocols of
 * real partners, closes a day against a statement, scales the gateway and takes all down again. Where no container engine answers it says so, and does nothing.
 */
if (!(await engineAnswers())) {
  console.log("– skipped: no container engine answers (docker info). Nothing was built, and nothing was tried.");
  process.exit(0);
}

const deployment = await createDeployment();
try {
  await play(deployment);
  console.log("\nAll checks passed.");
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await step("everything is taken down", () => deployment.remove());
}

async function play(deployment: Deployment): Promise<void> {
  const { show, compose } = deployment;
  await step("the images are built", () => show("--profile", "*", "build"));
  await step("the product is up and healthy", () => up(deployment));
  const merchant = await step("the operator's command line creates a merchant", () => createMerchant(deployment));
  await step("test mode: simulated money, one signed webhook", () => collect(deployment, merchant, "test"));
  await step("a payer pays on the checkout page", () => payOnCheckout(deployment, merchant));
  await step("live mode: the bank reports money, one signed webhook", () => collect(deployment, merchant, "live"));
  const booked = await step("Providus is added, as documented: issued, paid in, paid out", () =>
    useRealProtocol(deployment, merchant, "providus"),
  );
  await step("two operators close a day against a statement", () => closeDay(deployment, booked));
  await step("Monnify is added, as documented: issued, paid in, paid out", () =>
    useRealProtocol(deployment, merchant, "monnify"),
  );
  await step("the operators' pages are published", () => openOperatorsPages(deployment));
  await step("the gateway scales to three behind one address", () => scaleGateway(deployment));
  await step("callers with kept connections notice no replica that stops", () => stopOneGateway(deployment));
  await step("the jobs can be run again beside it", () =>
    compose("up", "--no-build", "roles", "streams", "migrate-ledger"),
  );
}

async function up({ compose }: Deployment): Promise<void> {
  await compose("--profile", "sandbox", "up", "--detach", "--no-build", "--wait", "--wait-timeout", "300");
}

async function openOperatorsPages({ compose, url }: Deployment): Promise<void> {
  await compose("--profile", "operators", "up", "--detach", "--no-build", "--wait", "operators");
  const { status } = await fetch(url(4210));
  check(status === 200, `they answer with ${status}`);
}

async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  console.log(`✓ ${what} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
  return result;
}
