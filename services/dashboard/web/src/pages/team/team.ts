import type { MemberRole } from "@collect/contracts";

export type TeamMember = {
  user_id: string;
  name: string;
  email: string;
  role: MemberRole;
  two_factor_enabled: boolean;
  joined_at: string;
};
export type Invitation = { id: string; email: string; role: MemberRole; expires_at: string };
export type Team = { members: TeamMember[]; invitations: Invitation[] };
