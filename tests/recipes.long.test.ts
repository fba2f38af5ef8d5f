import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Copy, copyTree } from "./recipes/copy.ts";
import { addEndpoint } from "./recipes/endpoint.ts";
import { consume, declareAndPublish } from "./recipes/event.ts";

/** Follows the recipes of CONTRIBUTING to the letter in a copy of the tree: they are complete, and need few files. */

let copy: Copy;
beforeAll(async () => {
  copy = await copyTree();
});
afterAll(() => copy.remove());

/** Runs the commands of a recipe one after another; each must succeed. */
async function runs(...commands: [folder: string, command: string][]): Promise<string> {
  let all = "";
  for (const [folder, command] of commands) {
    const { ok, output } = await copy.run(folder, command);
    expect(ok, output).toBe(true);
    all += output;
  }
  return all;
}

/** Prints the endpoints that the index lists, a line each. */
const INDEX = `
  import { isListed } from "./src/domain/endpoint.ts";
  import { ENDPOINTS } from "./src/endpoints.ts";
  for (const { method, path } of ENDPOINTS.filter(isListed)) process.stdout.write(method + " " + path + "\\n");
`;

const types = (...folders: string[]) => folders.map((folder): [string, string] => [folder, "tsc"]);
const written = () => `biome check --write ${[...copy.edited].join(" ")}`;

describe("a new endpoint of the merchant API", () => {
  test("is at most six files by hand, and the rest is written by one command", { timeout: 600_000 }, async () => {
    copy.edited.clear();
    await addEndpoint(copy);
    expect(copy.edited.size).toBeLessThanOrEqual(6);
    await runs([".", "npm run document"], [".", written()]);
    await runs(...types("packages/contracts", "packages/sdk", "services/gateway", "services/ledger"));
    await runs(["tests", "vitest run contracts.test.ts"], ["packages/sdk", "vitest run test/document.test.ts"]);
    expect(await copy.read("packages/sdk/generated/methods.ts")).toContain(
      'getFee: (options?: CallOptions) => call("getFee"',
    );
  });

  test("is answered by its owner, and over HTTP as it is documented", { timeout: 600_000 }, async () => {
    await runs(["services/ledger", "vitest run test/fees.test.ts"]);
    const files = ["openapi", "documentation", "index"].map((name) => `test/${name}.test.ts`).join(" ");
    const output = await runs(["services/gateway", `vitest run --reporter=verbose ${files}`]);
    expect(output).toMatch(/✓ .*getFee gives every documented response/);
    expect(output).toMatch(/✓ .*the example of Fee is valid/);
    expect(await runs(["services/gateway", `node --input-type=module -e '${INDEX}'`])).toContain("GET /fee\n");
    const document = JSON.parse(await copy.read("packages/sdk/openapi.json"));
    expect(document.paths["/fee"].get).toMatchObject({ operationId: "getFee", "x-repeatable": "always" });
    expect(document.components.schemas.Fee.examples).toEqual([{ mode: "test", basis_points: 100 }]);
  });

  test("that answers without a name is red in a test that says what to add", { timeout: 600_000 }, async () => {
    const shapes = "packages/contracts/src/merchant-api/balance.ts";
    const good = await copy.read(shapes);
    await copy.edit(shapes, (text) => text.replace(/id: "Fee",\s*/, ""));
    const { ok, output } = await copy.run(
      "services/gateway",
      "vitest run test/openapi.test.ts -t 'an id and an example'",
    );
    await copy.edit(shapes, () => good);
    expect(ok, output).toBe(false);
    expect(output).toContain("the response of getFee has no id: add .meta({ id, examples: [{ … }] }) to its schema");
  });
});

describe("a new event", () => {
  test("without its consumer is red", { timeout: 600_000 }, async () => {
    copy.edited.clear();
    await declareAndPublish(copy);
    await runs([".", "npm run document"]);
    const { ok, output } = await copy.run("tests", "vitest run contracts.test.ts");
    expect(ok, output).toBe(false);
    expect(output).toMatch(/accounts consumes exactly the events that name it/);
    expect(output).toContain("ledger.suspense.noted.v1");
  });

  test("is at most four files by hand, and goes from its publisher to its consumer", { timeout: 600_000 }, async () => {
    await consume(copy);
    expect(copy.edited.size).toBeLessThanOrEqual(4);
    await runs([".", "npm run document"], [".", written()]);
    await runs(...types("packages/contracts", "services/ledger", "services/accounts"));
    await runs(["packages/contracts", "vitest run test/events.test.ts"], ["tests", "vitest run contracts.test.ts"]);
    await runs(["services/accounts", "vitest run test/suspense-noted.test.ts"]);
    await runs(["services/ledger", "vitest run test/suspense.test.ts"]);
    expect(await copy.read("docs/events.md")).toContain("| `ledger.suspense.noted.v1` | ledger → accounts |");
  });
});
