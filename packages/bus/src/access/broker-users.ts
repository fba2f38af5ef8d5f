import { SERVICES, type ServiceName } from "@collect/contracts";
import {
  MIGRATE,
  migratePermissions,
  operatorPermissions,
  operatorRequests,
  type Permissions,
  permissionsOf,
} from "./permissions.ts";

/** Public keys by user. Several keys of one user have the same permissions, so that a key can be replaced by the next. */
export type BrokerKeys = Record<ServiceName | typeof MIGRATE, string[]> & {
  /** By name: `operator`, or `operator-` and the person's name. */
  operators: Record<string, string[]>;
  /** May do everything in the account of the services. Only tests have one. */
  administrator?: string[];
};

/** Files by which the broker encrypts its connections, by their paths on the broker. */
export type BrokerCertificate = { cert: string; key: string };

/**
 * The broker's users, in its configuration language; `infra/nats/nats.conf` includes it. The services share one account.
 * Each operator has one of its own: it reaches the requests that name operators as callers, the operators' pages only those
 * of their table, and the broker itself tells the service which account asked.
 */
export function brokerUsers(keys: BrokerKeys, certificate?: BrokerCertificate): string {
  const operators = Object.entries(keys.operators);
  const accounts = operators.map(([name]) => ({ name: quoted(named(name)), requests: operatorRequests(name) }));
  const exported = [...new Set(accounts.flatMap(({ requests }) => requests))].map((subject) => ({
    subject,
    names: accounts.filter(({ requests }) => requests.includes(subject)).map(({ name }) => name),
  }));
  return `${[
    "# Generated from the contracts: nothing is edited here by hand.",
    ...(certificate ? [`tls { cert_file: ${quoted(certificate.cert)}, key_file: ${quoted(certificate.key)} }`] : []),
    "accounts {",
    "  services {",
    "    jetstream: enabled",
    "    exports: [",
    ...exported.map(({ subject, names }) => `      { service: ${quoted(subject)}, accounts: [${names.join(", ")}] }`),
    "    ]",
    "    users: [",
    ...SERVICES.flatMap((service) => users(service, keys[service], permissionsOf(service))),
    ...users(MIGRATE, keys[MIGRATE], migratePermissions()),
    ...users("administrator", keys.administrator ?? [], { publish: [">"], subscribe: [">"] }),
    "    ]",
    "  }",
    ...operators.flatMap(([name, publicKeys]) => [
      `  ${quoted(name)} {`,
      "    imports: [",
      ...operatorRequests(name).map(
        (subject) => `      { service: { account: services, subject: ${quoted(subject)} }, share: true }`,
      ),
      "    ]",
      "    users: [",
      ...users(name, publicKeys, operatorPermissions(name)),
      "    ]",
      "  }",
    ]),
    "}",
  ].join("\n")}\n`;
}

function users(name: string, publicKeys: string[], { publish, subscribe }: Permissions): string[] {
  return publicKeys.flatMap((nkey) => [
    `      { # ${name}`,
    `        nkey: ${quoted(asPublicKey(nkey))}`,
    "        permissions: {",
    ...list("publish", publish),
    ...list("subscribe", subscribe),
    "        }",
    "      }",
  ]);
}

const list = (what: string, subjects: string[]) => [
  `          ${what}: [`,
  ...subjects.map((subject) => `            ${quoted(subject)}`),
  "          ]",
];

/** Nothing that reaches the file can end a string in it. */
const quoted = (text: string) => JSON.stringify(text);

function named(operator: string): string {
  if (!/^operator(-[a-z0-9]+)*$/.test(operator))
    throw new Error(`${operator} is no name of an operator: it is operator, or operator-ada`);
  return operator;
}

function asPublicKey(nkey: string): string {
  if (!/^U[A-Z2-7]{55}$/.test(nkey)) throw new Error("a public key of a user has 56 characters and begins with U");
  return nkey;
}
