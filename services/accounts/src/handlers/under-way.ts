import { answer, type Request } from "@collect/bus";
import { listUnderWay } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { spansUnderWay } from "../store/under-way.ts";

/** For payments, which calls no session expired while money that came in time may still reach it. */
export const answerUnderWay = (pool: Pool): Request =>
  answer(listUnderWay, async ({ spans }) => ({ under_way: await spansUnderWay(pool, spans) }));
