import type { Bus } from "@collect/bus";
import type { Input, listDayGroup } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type GroupMember, readMembers } from "../store/closings.ts";
import { toMember } from "./day-sheet.ts";
import { groupChanged, readStored } from "./days.ts";

/** Rows of a response. One more is read, to know whether there are more. */
const MEMBERS = 1_000;

type Given = Input<typeof listDayGroup>;
type Shown = { day: string; group: string; members: GroupMember[] };

/**
 * What is in a group of a sheet, in the order of the keys. One that has changed since it was shown is another group, and refused. The key of a group
 * tells all that is in it, so the next page of the same one needs no other look at the day.
 */
export function createGroupLister(deps: { pool: Pool; bus: Bus }) {
  let shown: Shown | undefined;

  async function membersOf({ day, group }: Given): Promise<GroupMember[]> {
    if (shown?.day === day && shown.group === group) return shown.members;
    const read = await readStored(deps, day);
    const { members } = read.vouched?.find(({ key }) => key === group) ?? {};
    if (!read.vouched || !members) throw groupChanged();
    shown = { day, group, members: members.map((member) => toMember(member, read.describe)) };
    return shown.members;
  }

  return async (given: Given) => {
    const { after = "" } = given;
    const stored = await readMembers(deps.pool, given, MEMBERS + 1);
    const rows = stored.length > 0 ? stored : (await membersOf(given)).filter(({ key }) => key > after);
    const data = rows.slice(0, MEMBERS);
    const next = rows.length > MEMBERS ? (data.at(-1)?.key ?? null) : null;
    if (next === null) shown = undefined;
    return { data, next };
  };
}
