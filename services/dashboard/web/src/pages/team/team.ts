import type { ReadResponse } from "../../api/calls.ts";

type Team = ReadResponse<"members">;
export type TeamMember = Team["members"][number];
export type Invitation = Team["invitations"][number];
