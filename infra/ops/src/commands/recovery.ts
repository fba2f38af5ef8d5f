import {
  endRecovery,
  getRecovery,
  MONEY_SERVICES,
  type MoneyService,
  startRecovery,
  type WireResult,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { withBus } from "../bus.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

type ServiceRecovery = { service: MoneyService } & Partial<WireResult<(typeof getRecovery)[MoneyService]>>;

export function recoveryCommand(): Command {
  const command = new Command("recovery").description("recovery of services whose database was restored");
  command
    .command("show")
    .description("show the last recovery of each service; exits with 1 while one is in progress")
    .addOption(json())
    .action((options: Output) => show(options));
  command
    .command("start")
    .description(
      "start a recovery by hand, as if the database had been restored to this time; services normally detect a restore themselves",
    )
    .addOption(new Option("--service <service>", "the restored service").choices(MONEY_SERVICES).makeOptionMandatory())
    .requiredOption("--restored-to <time>", "such as 2026-11-21T09:30:00Z")
    .addOption(json())
    .action((options: Output & { service: MoneyService; restoredTo: string }) => start(options));
  command
    .command("end")
    .description(
      "end a recovery by hand; if several databases were restored, end the one restored to the latest time first",
    )
    .addOption(new Option("--service <service>", "the restored service").choices(MONEY_SERVICES).makeOptionMandatory())
    .addOption(json())
    .action((options: Output & { service: MoneyService }) => end(options));
  return command;
}

function show(options: Output): Promise<void> {
  return withBus(async (send) => {
    const services = await Promise.all(
      MONEY_SERVICES.map(async (service): Promise<ServiceRecovery> => {
        const response = await send(getRecovery[service], {}).catch(() => undefined);
        return { service, ...response };
      }),
    );
    print({ services }, options, () => services.map(line).join("\n"));
    if (services.some(({ is_current }) => !is_current)) process.exitCode = 1;
  });
}

function start({ service, restoredTo, json }: Output & { service: MoneyService; restoredTo: string }): Promise<void> {
  return withBus(async (send) => {
    const { recovery } = await send(startRecovery[service], { restored_to: restoredTo });
    print({ service, recovery }, { json }, () => line({ service, is_current: false, recovery }));
  });
}

function end({ service, json }: Output & { service: MoneyService }): Promise<void> {
  return withBus(async (send) => {
    const { recovery } = await send(endRecovery[service], {});
    print({ service, recovery }, { json }, () => line({ service, is_current: true, recovery }));
  });
}

function line({ service, is_current, recovery }: ServiceRecovery): string {
  if (recovery === undefined) return `${service.padEnd(9)} does not answer`;
  if (recovery === null)
    return `${service.padEnd(9)} ${is_current ? "never restored" : "no peer service has confirmed its database"}`;
  const { restored_to, noticed_at, step, finished_at } = recovery;
  const outcome = finished_at ? `caught up ${finished_at}` : `catching up: ${step}`;
  return `${service.padEnd(9)} restored to ${restored_to}, noticed ${noticed_at}, ${outcome}`;
}
