import { addMember, createSignInLink, MEMBER_ROLES, type MemberRole, showMerchant } from "@collect/contracts";
import { Command, Option } from "commander";
import { asking } from "../ask.ts";
import { json, merchant, minutes } from "../options.ts";
import { type Output, print } from "../print.ts";

/** `user …`: the people of a merchant, who sign in to the dashboard. */
export function userCommand(): Command {
  const command = new Command("user").description("people who sign in to the dashboard");
  command
    .command("add")
    .description("make somebody a member of a merchant's team, or give a member another role")
    .addOption(merchant())
    .requiredOption("--email <email>", "by which the person signs in")
    .requiredOption("--name <name>", "the person's name; of a user that is there already it stays as it is")
    .addOption(new Option("--role <role>", "what the person may do").choices(MEMBER_ROLES).makeOptionMandatory())
    .addOption(json())
    .action((options: AddOptions) => add(options));
  command
    .command("sign-in-link")
    .description("a link that signs a user in once; whoever has it can use it")
    .requiredOption("--email <email>", "whom it signs in")
    .option("--clear", "take away the teams and businesses of whoever signed up under this email before its owner did")
    .option("--minutes <minutes>", "how long it is valid; 60 unless said otherwise, 10080 at most", minutes)
    .addOption(json())
    .action((options: LinkOptions) => signInLink(options));
  return command;
}

type AddOptions = Output & { merchant: string; email: string; name: string; role: MemberRole };
type LinkOptions = Output & { email: string; minutes?: number; clear?: true };

function add({ merchant: merchant_id, email, name, role, json }: AddOptions): Promise<void> {
  return asking(async (ask) => {
    // The dashboard does not know who is a merchant; the gateway does.
    const shop = await ask(showMerchant, { merchant_id });
    const added = await ask(addMember, { merchant_id, email, name, role });
    const who = added.created
      ? "a new user who has no password yet (user sign-in-link)"
      : "a user who was there already";
    print(added, { json }, () => `${email}, ${who}, is ${role} of ${shop.name}.`);
  });
}

function signInLink({ email, minutes, clear, json }: LinkOptions): Promise<void> {
  return asking(async (ask) => {
    const link = await ask(createSignInLink, { email, valid_minutes: minutes, clear });
    print(link, { json }, () => `${link.url}\nIt signs ${email} in once, until ${link.expires_at}.`);
  });
}
