import { addMember, createSignInLink, MEMBER_ROLES, type MemberRole, showMerchant } from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json, merchant, minutes } from "../options.ts";
import { type Output, print } from "../print.ts";

/** `user …`: members of a merchant's team, who sign in to the dashboard. */
export function userCommand(): Command {
  const command = new Command("user").description("dashboard users");
  command
    .command("add")
    .description("add a user to a merchant's team, or change a member's role")
    .addOption(merchant())
    .requiredOption("--email <email>", "the email the user signs in with")
    .requiredOption("--name <name>", "the user's name; ignored if the user already exists")
    .addOption(new Option("--role <role>", "the role in the team").choices(MEMBER_ROLES).makeOptionMandatory())
    .addOption(json())
    .action((options: AddOptions) => add(options));
  command
    .command("sign-in-link")
    .description("create a single-use sign-in link; anyone who has it can use it")
    .requiredOption("--email <email>", "the user's email")
    .option(
      "--clear",
      "remove the teams and businesses of an account created with this email before its owner signed up",
    )
    .option("--minutes <minutes>", "validity in minutes (default 60, at most 10080)", minutes)
    .addOption(json())
    .action((options: LinkOptions) => signInLink(options));
  return command;
}

type AddOptions = Output & { merchant: string; email: string; name: string; role: MemberRole };
type LinkOptions = Output & { email: string; minutes?: number; clear?: true };

function add({ merchant: merchant_id, email, name, role, json }: AddOptions): Promise<void> {
  return withBus(async (send) => {
    // Only the gateway knows which merchants exist.
    const merchant = await send(showMerchant, { merchant_id });
    const added = await send(addMember, { merchant_id, email, name, role });
    const status = added.created ? "a new user without a password (run user sign-in-link)" : "an existing user";
    print(added, { json }, () => `${email}, ${status}, is now ${role} of ${merchant.name}.`);
  });
}

function signInLink({ email, minutes, clear, json }: LinkOptions): Promise<void> {
  return withBus(async (send) => {
    const link = await send(createSignInLink, { email, valid_minutes: minutes, clear });
    print(link, { json }, () => `${link.url}\nSigns ${email} in once; expires at ${link.expires_at}.`);
  });
}
