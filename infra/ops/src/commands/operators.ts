import { createSeed, publicKeyOf } from "@collect/bus";
import {
  addOperator,
  cancelProposal,
  getProposal,
  listOperators,
  listProposals,
  Problem,
  type Proposal,
  REQUESTS,
  removeOperator,
  resetOperatorSignIn,
} from "@collect/contracts";
import { Command } from "commander";
import { withBus } from "../bus.ts";
import { json, publicKey } from "../options.ts";
import { counted, type Output, print } from "../print.ts";

/** `operator …`: the persons who operate the system, each with a key of their own. */
export function operatorCommand(): Command {
  const command = new Command("operator").description("the persons who operate the system");
  command
    .command("key")
    .description("create a private key for an operator, and the public one that another operator adds")
    .addOption(json())
    .action((options: Output) => createKey(options));
  command
    .command("add <name>")
    .description("let a person operate with this key")
    .requiredOption("--public-key <key>", "as printed by `operator key`", publicKey)
    .addOption(json())
    .action((name: string, options: Output & { publicKey: string }) =>
      withBus(async (send) => {
        const added = await send(addOperator, { name, public_key: options.publicKey });
        print(added, options, () => `${added.name} is an operator.`);
      }),
    );
  command
    .command("remove <name>")
    .description("end a person's keys at once, or one of them")
    .option("--public-key <key>", "only this key")
    .addOption(json())
    .action((name: string, options: Output & { publicKey?: string }) =>
      withBus(async (send) => {
        const { removed } = await send(removeOperator, { name, public_key: options.publicKey });
        print({ removed }, options, () => `Removed ${counted(removed, "key")} of ${name}.`);
      }),
    );
  command
    .command("reset-sign-in <name>")
    .description(
      "forget the password and the authenticator of a person, who then chooses new ones in the operators' pages",
    )
    .addOption(json())
    .action((name: string, options: Output) =>
      withBus(async (send) => {
        const reset = await send(resetOperatorSignIn, { name });
        print(reset, options, () => `${name} chooses a new password and authenticator.`);
      }),
    );
  command
    .command("list")
    .description("list the operators' keys, removed ones included")
    .addOption(json())
    .action((options: Output) =>
      withBus(async (send) => {
        const listed = await send(listOperators, {});
        const line = ({ name, public_key, removed_at }: (typeof listed.operators)[number]) =>
          `${name.padEnd(12)} ${public_key}${removed_at ? `  removed ${removed_at}` : ""}`;
        print(listed, options, () => listed.operators.map(line).join("\n"));
      }),
    );
  return command;
}

function createKey(options: Output): void {
  const seed = createSeed();
  const created = { seed, public_key: publicKeyOf(seed) };
  print(
    created,
    options,
    () => `private key  ${seed}  (secret: it is not stored anywhere)\npublic key   ${created.public_key}`,
  );
}

/** `proposals …`: what waits for a second operator. */
export function proposalsCommand(): Command {
  const command = new Command("proposals").description("what one operator ordered and another has to approve");
  command
    .command("list", { isDefault: true })
    .description("list proposals, newest first")
    .addOption(json())
    .action((options: Output) =>
      withBus(async (send) => {
        const listed = await send(listProposals, {});
        print(listed, options, () => listed.proposals.map(describe).join("\n") || "There is no proposal.");
      }),
    );
  command
    .command("cancel <proposal>")
    .description("cancel a proposal that waits")
    .addOption(json())
    .action((proposal_id: string, options: Output) =>
      withBus(async (send) => {
        const cancelled = await send(cancelProposal, { proposal_id });
        print(cancelled, options, () => describe(cancelled));
      }),
    );
  return command;
}

/** `approve ID`: executes exactly what another operator proposed, and prints its result. */
export function approveCommand(): Command {
  return new Command("approve")
    .argument("<proposal>")
    .description("execute exactly what another operator proposed; only here its result is printed")
    .addOption(json())
    .action((proposal_id: string, options: Output) =>
      withBus(async (send) => {
        const proposal = await send(getProposal, { proposal_id });
        const contract = REQUESTS.find(({ subject }) => subject === proposal.subject);
        if (!contract) throw new Problem("not_found", `This release does not know ${proposal.subject}.`);
        const result: unknown = await send(contract, JSON.parse(proposal.body), { proposal: proposal_id });
        print(Object(result), options, () => `${describe(proposal)}\n${JSON.stringify(result, null, 2)}`);
      }),
    );
}

function describe({ proposal_id, state, action, body, proposed_by, proposed_at }: Proposal): string {
  return `${proposal_id}  ${state.padEnd(9)} ${action} by ${proposed_by} at ${proposed_at}: ${body}`;
}
