import {
  endRecovery,
  getRecovery,
  MONEY_SERVICES,
  type MoneyService,
  startRecovery,
  type WireResult,
} from "@collect/contracts";
import { Command, Option } from "commander";
import { asking } from "../ask.ts";
import { json } from "../options.ts";
import { type Output, print } from "../print.ts";

type Shown = { service: MoneyService } & Partial<WireResult<(typeof getRecovery)[MoneyService]>>;

export function recoveryCommand(): Command {
  const command = new Command("recovery").description("how services catch up whose database was restored");
  command
    .command("show")
    .description("the last recovery of each service; it ends with 1 while one is under way")
    .addOption(json())
    .action((options: Output) => show(options));
  command
    .command("start")
    .description(
      "let a service catch up as if its database had been restored to this moment; it does so by itself, too",
    )
    .addOption(new Option("--service <service>", "whose database").choices(MONEY_SERVICES).makeOptionMandatory())
    .requiredOption("--restored-to <time>", "such as 2026-11-21T09:30:00Z")
    .addOption(json())
    .action((options: Output & { service: MoneyService; restoredTo: string }) => start(options));
  command
    .command("end")
    .description(
      "end a service's recovery by hand: when several databases were restored, that of the latest moment comes first",
    )
    .addOption(new Option("--service <service>", "whose database").choices(MONEY_SERVICES).makeOptionMandatory())
    .addOption(json())
    .action((options: Output & { service: MoneyService }) => end(options));
  return command;
}

function show(options: Output): Promise<void> {
  return asking(async (ask) => {
    const services = await Promise.all(
      MONEY_SERVICES.map(async (service): Promise<Shown> => {
        const answered = await ask(getRecovery[service], {}).catch(() => undefined);
        return { service, ...answered };
      }),
    );
    print({ services }, options, () => services.map(line).join("\n"));
    if (services.some(({ is_current }) => !is_current)) process.exitCode = 1;
  });
}

function start({ service, restoredTo, json }: Output & { service: MoneyService; restoredTo: string }): Promise<void> {
  return asking(async (ask) => {
    const { recovery } = await ask(startRecovery[service], { restored_to: restoredTo });
    print({ service, recovery }, { json }, () => line({ service, is_current: false, recovery }));
  });
}

function end({ service, json }: Output & { service: MoneyService }): Promise<void> {
  return asking(async (ask) => {
    const { recovery } = await ask(endRecovery[service], {});
    print({ service, recovery }, { json }, () => line({ service, is_current: true, recovery }));
  });
}

function line({ service, is_current, recovery }: Shown): string {
  if (recovery === undefined) return `${service.padEnd(9)} does not answer`;
  if (recovery === null)
    return `${service.padEnd(9)} ${is_current ? "never restored" : "no neighbour has confirmed its database"}`;
  const { restored_to, noticed_at, step, finished_at } = recovery;
  const outcome = finished_at ? `caught up ${finished_at}` : `catching up: ${step}`;
  return `${service.padEnd(9)} restored to ${restored_to}, noticed ${noticed_at}, ${outcome}`;
}
