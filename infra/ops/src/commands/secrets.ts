import { reencryptSecrets, SECRET_SERVICES, type SecretService, type WireResult } from "@collect/contracts";
import { Command, Option } from "commander";
import { type SendRequest, withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

type Service = { service: SecretService; checked: number; reencrypted: number; unreadable: string[] };
type Batch = WireResult<(typeof reencryptSecrets)[SecretService]>;

export function secretsCommand(): Command {
  const command = new Command("secrets").description("secrets that are encrypted in the databases");
  command
    .command("reencrypt")
    .description(
      "encrypt every stored secret with the first key of KEYRING; safe to repeat; exits with 1 if any cannot be decrypted",
    )
    .addOption(new Option("--service <service>", "only this service's").choices(SECRET_SERVICES))
    .addOption(json())
    .action((options: Output & { service?: SecretService }) => reencrypt(options));
  return command;
}

function reencrypt({ service, json }: Output & { service?: SecretService }): Promise<void> {
  return withBus(async (send) => {
    const services: Service[] = [];
    for (const name of service ? [service] : SECRET_SERVICES) services.push(await reencryptService(send, name));
    print({ services }, { json }, () => services.map(line).join("\n"));
    if (services.some(({ unreadable }) => unreadable.length > 0)) process.exitCode = 1;
  });
}

/** Batch by batch: each is a transaction of its own, so an interrupted command is only run again. */
async function reencryptService(send: SendRequest, service: SecretService): Promise<Service> {
  const total: Service = { service, checked: 0, reencrypted: 0, unreadable: [] };
  let after: string | null = null;
  do {
    const batch: Batch = await send(reencryptSecrets[service], { after });
    total.checked += batch.checked;
    total.reencrypted += batch.reencrypted;
    total.unreadable.push(...batch.unreadable);
    after = batch.next;
  } while (after !== null);
  return total;
}

function line({ service, checked, reencrypted, unreadable }: Service): string {
  const counts = `${service.padEnd(9)} ${checked} checked, ${reencrypted} encrypted again`;
  return unreadable.length === 0 ? counts : `${counts}, cannot be decrypted: ${unreadable.join(", ")}`;
}
