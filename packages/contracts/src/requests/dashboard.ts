import { z } from "zod";
import { Id, Instant, Name } from "../fields.ts";
import { request } from "../message.ts";

/** What the operator does about people. The dashboard itself is spoken to over HTTP. */

export const MEMBER_ROLES = ["owner", "developer", "viewer"] as const;
export const MemberRole = z.enum(MEMBER_ROLES);
export type MemberRole = z.infer<typeof MemberRole>;
const Email = z.string().trim().toLowerCase().max(254).pipe(z.email());

export const addMember = request({
  subject: "dashboard.member.add",
  callers: ["operator"],
  meaning:
    "Make a person a member of a merchant's team, or give a member another role. A user is made for an email that has none.",
  input: z.object({ merchant_id: Id, email: Email, name: Name, role: MemberRole }),
  output: z.object({ user_id: Id, created: z.boolean() }),
});

export const createSignInLink = request({
  subject: "dashboard.sign_in_link.create",
  callers: ["operator"],
  meaning: "A link that signs a user in once: for the first sign-in, or for a user who lost a password.",
  input: z.object({
    email: Email,
    valid_minutes: z.int().min(1).max(10_080).default(60),
    /** For an address that another person signed up under: opened the first time, it also takes away the teams and businesses begun under it. */
    clear: z.boolean().default(false),
  }),
  output: z.object({ url: z.url(), expires_at: Instant }),
});
