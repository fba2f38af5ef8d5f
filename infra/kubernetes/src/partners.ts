import { CLUSTER } from "./cluster.ts";

/** The partner banks of a cluster. */
export type Partners = {
  /** The id of the one that live mode uses: the code of the bank of our own protocol, `providus` or `monnify`. */
  standard: string;
  providus?: {
    network: string;
    /** The base of its collection service, above `/api`, and of its transfer service, which ends in `/postingrest`. */
    collections: { url: string; clientId: string; businessName?: string };
    transfers: { url: string; user: string; sourceAccount: { number: string; name: string } };
  };
  monnify?: { network: string; url: string; contractCode: string; wallet: string };
};

type Part = { settings: Record<string, string>; secrets: string[] };

/** What accounts and payments get of the partners: nothing of one that is absent. */
export function partnerSettings(partners: Partners = CLUSTER.partners): Record<"accounts" | "payments", Part> {
  const { standard, providus, monnify } = partners;
  const keys = monnify ? ["MONNIFY_API_KEY", "MONNIFY_SECRET_KEY"] : [];
  return {
    accounts: {
      settings: {
        BANK_PARTNER: standard,
        ...(providus && {
          PROVIDUS_URL: providus.collections.url,
          PROVIDUS_CLIENT_ID: providus.collections.clientId,
          ...(providus.collections.businessName && { PROVIDUS_BUSINESS_NAME: providus.collections.businessName }),
        }),
        ...(monnify && { MONNIFY_URL: monnify.url, MONNIFY_CONTRACT_CODE: monnify.contractCode }),
      },
      secrets: [...(providus ? ["PROVIDUS_CLIENT_SECRET"] : []), ...(monnify ? [...keys, "MONNIFY_BUSINESS_BVN"] : [])],
    },
    payments: {
      settings: {
        BANK_PARTNER: standard,
        ...(providus && {
          PROVIDUS_PAYOUTS_URL: providus.transfers.url,
          PROVIDUS_PAYOUTS_USER: providus.transfers.user,
          PROVIDUS_SOURCE_ACCOUNT_NUMBER: providus.transfers.sourceAccount.number,
          PROVIDUS_SOURCE_ACCOUNT_NAME: providus.transfers.sourceAccount.name,
        }),
        ...(monnify && { MONNIFY_URL: monnify.url, MONNIFY_SOURCE_ACCOUNT_NUMBER: monnify.wallet }),
      },
      secrets: [...(providus ? ["PROVIDUS_PAYOUTS_SECRET"] : []), ...keys],
    },
  };
}

/** The networks of all partners: what accounts and payments connect to. */
export function partnerNetworks(partners: Partners = CLUSTER.partners): string[] {
  const further = [partners.providus, partners.monnify].flatMap((partner) => (partner ? [partner.network] : []));
  return [CLUSTER.bank.network, ...further];
}
