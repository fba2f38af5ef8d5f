import { createDeployment, type Deployment, engineAnswers } from "./compose.ts";
import { collect, createMerchant, payOnCheckout } from "./merchant.ts";
import { scaleGateway, stopOneGateway } from "./replicas.ts";

/**
 * npm run containers: builds the images, brings docker-compose.yml up, plays the main job in both modes, scales the gateway and
 * takes all down again. Where no container engine answers it says so, and does nothing.
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
  await step("the gateway scales to three behind one address", () => scaleGateway(deployment));
  await step("callers with kept connections notice no replica that stops", () => stopOneGateway(deployment));
  await step("the jobs can be run again beside it", () =>
    compose("up", "--no-build", "roles", "streams", "migrate-ledger"),
  );
}

async function up({ compose }: Deployment): Promise<void> {
  await compose("--profile", "sandbox", "up", "--detach", "--no-build", "--wait", "--wait-timeout", "300");
}

async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  console.log(`✓ ${what} (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
  return result;
}
