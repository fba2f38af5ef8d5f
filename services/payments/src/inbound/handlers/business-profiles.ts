import { answer, type Request } from "@collect/bus";
import { getBusinessProfile, getLogo, notFound, setBusinessProfile } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Logo, logoOf } from "../domain/logo.ts";
import { findLogo, profileOf, setProfileOf } from "../store/business-profiles.ts";

/** How merchants show themselves to payers. Two writers: the last one's profile stands, whole but for a logo that it keeps. */
export function businessProfileRequests({ pool, lists }: { pool: Pool; lists: Pool }): Request[] {
  const show = async (merchantId: string) => {
    const { branding, logo } = await profileOf(pool, merchantId);
    return { ...branding, logo_image: logo && imageOf(logo) };
  };
  return [
    answer(getBusinessProfile, ({ merchant_id }) => show(merchant_id)),

    answer(setBusinessProfile, async ({ merchant_id, logo, ...fields }) => {
      const chosen = typeof logo === "string" ? logoOf(Buffer.from(logo, "base64")) : logo;
      await setProfileOf(pool, merchant_id, { ...fields, logo: chosen });
      return show(merchant_id);
    }),

    // Anyone can ask for one: the requests of merchants and payers do not wait behind these.
    answer(getLogo, async ({ sha256 }) => {
      const logo = await findLogo(lists, sha256);
      if (!logo) throw notFound();
      return imageOf(logo);
    }),
  ];
}

const imageOf = ({ type, bytes }: Logo) => ({ type, data: bytes.toString("base64") });
