import { notFound, revokeRestrictedKey, rollKey, showMerchant } from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { hours, json, type ModeOption, mode, reason } from "../options.ts";
import { type Output, print } from "../print.ts";

export function keysCommand(): Command {
  const command = new Command("keys").description("API keys");
  command
    .command("roll <merchant>")
    .description(
      "create a new key; the old key stays valid for the overlap, or is revoked immediately if there is none",
    )
    .addOption(mode())
    .addOption(new Option("--kind <kind>", "secret or public").choices(["secret", "public"]).makeOptionMandatory())
    .option("--overlap-hours <hours>", "how long the old key stays valid, at most 72", hours, 0)
    .addOption(json())
    .action((merchant: string, options: RollOptions) => roll(merchant, options));
  command
    .command("revoke <merchant> <key-id>")
    .description("revoke a restricted key at once, by its id, as printed by merchant show")
    .addOption(reason("why, for the audit log"))
    .addOption(json())
    .action((merchant: string, keyId: string, options: RevokeOptions) => revoke(merchant, keyId, options));
  return command;
}

type RevokeOptions = Output & { reason: string };

function revoke(merchant_id: string, key_id: string, { reason, json }: RevokeOptions): Promise<void> {
  return withBus(async (send) => {
    const { keys } = await send(showMerchant, { merchant_id });
    const found = keys.find(({ id, kind }) => id === key_id && kind === "restricted");
    if (!found) throw notFound();
    const { mode, name } = found;
    const revoked = await send(revokeRestrictedKey, { merchant_id, mode, key_id, reason });
    print(revoked, { json }, () => `“${name}” (${mode}) is revoked since ${revoked.expires_at}.`);
  });
}

type RollOptions = Output & ModeOption & { kind: "secret" | "public"; overlapHours: number };

function roll(merchant_id: string, { mode, kind, overlapHours, json }: RollOptions): Promise<void> {
  return withBus(async (send) => {
    const rolled = await send(rollKey, { merchant_id, mode, kind, overlap_hours: overlapHours });
    print(rolled, { json }, () => `${rolled.key}\nThe old key is valid until ${rolled.old_keys_expire_at}.`);
  });
}
