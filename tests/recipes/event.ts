import type { Copy } from "./copy.ts";
import { after, before } from "./edits.ts";

/** What somebody writes who adds an event from the ledger to accounts by the recipe "A new event". */

/** 1. Contract, and 2. publisher. */
export async function declareAndPublish({ edit, fileWith }: Copy): Promise<void> {
  await edit("packages/contracts/src/events.ts", before("export const collectionPosted = event({", CONTRACT));
  await edit(fileWith("services/ledger/src", "consumeByStatement(transferUnallocated,"), (text) =>
    after("    publish(\n", PUBLISHED)(named("suspensePosted", "suspenseNoted, suspensePosted")(text)),
  );
}

/** 3. Consumer, and 4. test. */
export async function consume({ edit, fileWith }: Copy): Promise<void> {
  await edit(fileWith("services/accounts/src", "consumeByStatement(suspensePosted,"), (text) =>
    before(
      "    consumeByStatement(suspensePosted,",
      CONSUMED,
    )(named("suspensePosted", "suspenseNoted, suspensePosted")(text)),
  );
  await edit("services/accounts/test/suspense-noted.test.ts", () => TEST);
}

const CONTRACT = `export const suspenseNoted = event({
  subject: "ledger.suspense.noted.v1",
  from: "ledger",
  to: ["accounts"],
  meaning: "Unallocated money was noted.",
  naturalKey: "intakeId",
  data: z.object({ intakeId: Id, mode: Mode }),
});

`;

/** The anchor is the call that is there: the new one comes before it. */
const PUBLISHED = `      suspenseNoted,
      posted.map(({ key, mode }) => ({ intakeId: key, mode })),
    );
    publish(
`;

const CONSUMED = `    consumeByStatement(suspenseNoted, { batchMax: 300 }, ({ tx }, noted) =>
      completeUnallocated(
        tx,
        noted.map(({ intakeId }) => intakeId),
      ),
    ),

`;

const TEST = `import { suspenseNoted } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { anIntakeRow } from "./intake-rows.ts";
import { useAccounts } from "./world.ts";

const world = await useAccounts();

test("unallocated money that was noted is driven no more, however often that is said", async () => {
  const intakeId = await anIntakeRow(world, { receivedAt: new Date(), merchantId: null, isCompleted: false });
  const noted = { intakeId, mode: "live" } as const;
  await world.others.publish(suspenseNoted, [noted]);
  await world.others.publish(suspenseNoted, [noted]);
  const completedAt = async () => {
    const found = "select completed_at from inbound_transfers where intake_id = $1";
    return (await world.pool.query(found, [intakeId])).rows[0]?.completed_at;
  };
  expect(await until("it is completed", completedAt)).toMatch(/^\\d{4}-/);
});
`;

/** Another name in the import of the contracts. */
const named = (there: string, both: string) => (text: string) =>
  text.replace(new RegExp(`(import \\{[^}]*?)\\b${there}\\b([^}]*\\} from "@collect/contracts";)`), `$1${both}$2`);
