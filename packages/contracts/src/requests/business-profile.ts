import { z } from "zod";
import { Id } from "../fields.ts";
import { request } from "../message.ts";

/** How a merchant shows itself to payers, in both modes: whatever is saved is public. */

export const LOGO_BYTES_MAX = 64 * 1024;
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

const Color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, "must be a color such as #0a7d5b");
const SupportEmail = z
  .string()
  .trim()
  .max(254, "must be at most 254 characters")
  .pipe(z.email("must be an email address"));
const SupportPhone = z
  .string()
  .trim()
  .regex(/^\+?[\d ]{7,20}$/, "must be a phone number, such as +234 801 234 5678");

/** What the payer's page shows of it; null where the merchant has not set it. */
export const Branding = z.object({
  color: Color.nullable(),
  /** The path on the checkout's host. It names the image by the hash of its bytes, so what is at a path never changes. */
  logo: z
    .string()
    .regex(/^\/logos\/[0-9a-f]{64}$/)
    .nullable(),
  support_email: SupportEmail.nullable(),
  support_phone: SupportPhone.nullable(),
});
export type Branding = z.output<typeof Branding>;

/** Of a merchant that has set nothing. */
export const NO_BRANDING: Branding = { color: null, logo: null, support_email: null, support_phone: null };

/** The same in a response; payments of an earlier release sends none. */
export const ShownBranding = Branding.default(NO_BRANDING);

/** The bytes of an image in base64, and what they are. */
const LogoImage = z.object({ type: z.enum(LOGO_TYPES), data: z.base64() });

const BusinessProfile = Branding.extend({ logo_image: LogoImage.nullable() });

export const getBusinessProfile = request({
  subject: "payments.business_profile.get",
  callers: ["dashboard"],
  meaning: "How a merchant shows itself to payers, with the image of its logo.",
  input: z.object({ merchant_id: Id }),
  output: BusinessProfile,
});

export const setBusinessProfile = request({
  subject: "payments.business_profile.set",
  callers: ["dashboard"],
  meaning: "Replace it, also for payments that are open already. Without `logo` the logo stays; null removes it.",
  input: Branding.omit({ logo: true }).extend({
    merchant_id: Id,
    /** The file in base64: its type is read from its bytes. */
    logo: z
      .base64("must be a file in base64")
      .max(Math.ceil(LOGO_BYTES_MAX / 3) * 4, "must be at most 64 kB")
      .nullable()
      .optional(),
  }),
  output: BusinessProfile,
});

export const getLogo = request({
  subject: "payments.logo.get",
  callers: ["checkout"],
  meaning: "The logo whose bytes have this SHA-256, if it is the logo of a merchant now.",
  input: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be the SHA-256 of a file, in hexadecimal") }),
  output: LogoImage,
});
