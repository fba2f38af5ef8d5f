import type { ServiceName } from "@collect/contracts";
import { type Login, loginOf } from "@collect/database";
import { BUS_SETTINGS, loadConfig } from "@collect/runtime";
import { z } from "zod";

const Password = z.string().min(16);
/** Which of its two logins the service uses: the other one is given the next password. */
const LoginName = z.enum(["a", "b"]).default("a");

export const RolesConfig = z.object({
  /** As a user with the rights to create databases and roles. */
  DATABASE_URL: z.string(),
  /** How many connections each login may have: those of all replicas of its service. Three of payments, and one more while deploying. */
  CONNECTION_LIMIT: z.coerce.number().int().min(1).default(72),
  ...settingsOf("GATEWAY"),
  ...settingsOf("ACCOUNTS"),
  ...settingsOf("LEDGER"),
  ...settingsOf("PAYMENTS"),
  ...settingsOf("WEBHOOKS"),
  ...settingsOf("CHECKOUT"),
  ...settingsOf("DASHBOARD"),
  ...settingsOf("STATEMENTS"),
});
export type RolesConfig = z.output<typeof RolesConfig>;

export const readRolesConfig = (): RolesConfig => loadConfig(RolesConfig, process.env);

export const StreamsConfig = z.object(BUS_SETTINGS);
export const readStreamsConfig = () => loadConfig(StreamsConfig, process.env);

type Name = Uppercase<ServiceName>;

/** The password of the login that the service connects with, that of its migrate job, and which of its logins the first is. */
function settingsOf<Service extends Name>(service: Service) {
  return {
    [`${service}_PASSWORD`]: Password,
    [`${service}_OWNER_PASSWORD`]: Password,
    [`${service}_LOGIN`]: LoginName,
  } as Record<`${Service}_PASSWORD` | `${Service}_OWNER_PASSWORD`, typeof Password> &
    Record<`${Service}_LOGIN`, typeof LoginName>;
}

const nameOf = (service: ServiceName) => service.toUpperCase() as Name;

/** The login that a service connects to its database with. */
export function loginFor(config: RolesConfig, service: ServiceName): Login {
  const name = nameOf(service);
  return {
    role: loginOf(service, config[`${name}_LOGIN`]),
    password: config[`${name}_PASSWORD`],
    connectionLimit: config.CONNECTION_LIMIT,
  };
}

export const ownerPasswordFor = (config: RolesConfig, service: ServiceName): string =>
  config[`${nameOf(service)}_OWNER_PASSWORD`];
