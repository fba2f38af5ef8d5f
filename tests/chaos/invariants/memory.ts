import { type Invariant, listed } from "./invariant.ts";

const MAX_MB = 400;

export const memory: Invariant = async ({ members }) =>
  listed(
    `more than ${MAX_MB} MB`,
    members.all
      .filter((member) => member.highWaterMb() > MAX_MB)
      .map((member) => `${member.name} ${Math.round(member.highWaterMb())} MB`),
  );
