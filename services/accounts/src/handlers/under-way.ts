import { answer, type Request } from "@collect/bus";
import { listUnderWay } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { accountsUnderWay } from "../store/under-way.ts";

/** For payments, which calls no session expired while money that came in time may still reach it. */
export const answerUnderWay = (pool: Pool): Request =>
  answer(listUnderWay, async ({ accounts }) => ({ under_way: await accountsUnderWay(pool, accounts) }));
