import { z } from "zod";
import { Id, Instant, Name } from "../fields.ts";
import { request } from "../message.ts";

/** The operator's commands for users. The dashboard itself is used over HTTP. */

export const MEMBER_ROLES = ["owner", "finance", "developer", "support", "viewer"] as const;
export const MemberRole = z.enum(MEMBER_ROLES);
export type MemberRole = z.infer<typeof MemberRole>;
const Email = z.string().trim().toLowerCase().max(254).pipe(z.email());

export const addMember = request({
  subject: "dashboard.member.add",
  callers: ["operator"],
  operator: { action: "member.set_by_operator", detail: ["email", "role"], fourEyes: true },
  meaning: "Add a person to a merchant's team, or change a member's role. Creates a user for an unknown email.",
  input: z.object({ merchant_id: Id, email: Email, name: Name, role: MemberRole }),
  output: z.object({ user_id: Id, created: z.boolean() }),
});

export const createSignInLink = request({
  subject: "dashboard.sign_in_link.create",
  callers: ["operator"],
  operator: {
    action: "sign_in_link.made",
    detail: ["email", "valid_minutes", "clear"],
    result: ["expires_at"],
    fourEyes: true,
  },
  meaning: "Create a link that signs a user in once: for the first sign-in, or for a user who forgot the password.",
  input: z.object({
    email: Email,
    valid_minutes: z.int().min(1).max(10_080).default(60),
    /** For an address that another person used to sign up: its first use also removes the teams and businesses created with it. */
    clear: z.boolean().default(false),
  }),
  output: z.object({ url: z.url(), expires_at: Instant }),
});
