import { join } from "node:path";
import { expect, test } from "vitest";
import { CLUSTER } from "../src/cluster.ts";
import { type Partners, partnerNetworks, partnerSettings } from "../src/partners.ts";
import { kept } from "./manifests.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SIGNED_UP: Partners = {
  standard: "providus",
  providus: {
    network: "192.0.2.0/28",
    collections: { url: "https://collections.example.com", clientId: "collect" },
    transfers: {
      url: "https://transfers.example.com/postingrest",
      user: "collect",
      sourceAccount: { number: "1700313889", name: "Collect Ltd" },
    },
  },
  monnify: {
    network: "192.0.2.16/28",
    url: "https://api.monnify.com",
    contractCode: "7059707855",
    wallet: "3934178936",
  },
};

test.each(["accounts", "payments"] as const)(
  "%s gets all settings of each partner that a cluster has, the secrets among them by reference, and none of another",
  async (service) => {
    const { PARTNERS } = await import(join(ROOT, "services", service, "src/config.ts"));
    const namesOf = (partners: Partners) => {
      const { settings, secrets } = partnerSettings(partners)[service];
      return [...Object.keys(settings), ...secrets].toSorted();
    };
    expect(namesOf(SIGNED_UP)).toEqual(["BANK_PARTNER", ...PARTNERS.providus, ...PARTNERS.monnify].toSorted());
    for (const partner of ["providus", "monnify"] as const)
      expect(namesOf({ standard: "729", [partner]: SIGNED_UP[partner] })).toEqual(
        ["BANK_PARTNER", ...PARTNERS[partner]].toSorted(),
      );
    expect(namesOf({ standard: "729" })).toEqual(["BANK_PARTNER"]);
    const { settings, secrets } = partnerSettings(SIGNED_UP)[service];
    expect(Object.keys(settings).filter((name) => /(SECRET|_KEY|BVN)$/.test(name))).toEqual([]);
    const row = kept("infra/kubernetes/README.md")
      .split("\n")
      .find((line) => line.startsWith(`| \`${service}\` | `));
    for (const secret of secrets) expect(row).toContain(`\`${secret}\``);
  },
);

test("accounts knows what Providus puts in front of names, where it does", () => {
  const { providus } = SIGNED_UP;
  if (!providus) throw new Error("Providus is a partner here");
  const collections = { ...providus.collections, businessName: "MERCHANT" };
  const { accounts } = partnerSettings({ ...SIGNED_UP, providus: { ...providus, collections } });
  expect(accounts.settings).toMatchObject({ PROVIDUS_BUSINESS_NAME: "MERCHANT" });
});

test("the networks of all partners are open to accounts and payments, and of no other", () => {
  expect(partnerNetworks({ standard: "729" })).toEqual([CLUSTER.bank.network]);
  expect(partnerNetworks(SIGNED_UP)).toEqual([CLUSTER.bank.network, "192.0.2.0/28", "192.0.2.16/28"]);
});
