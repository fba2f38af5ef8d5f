import { shareOf } from "@collect/money";
import { koboOf } from "../books.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";
import { payoutsAtBank } from "./payouts.ts";

const FEE_BASIS_POINTS = 100;

export const balances: Invariant = async (world) => {
  const { merchants, books } = world;
  const paidOut = new Map((await payoutsAtBank(world)).map(({ id, status, amount }) => [id, { status, amount }]));
  const wrong: string[] = [];
  for (const index of merchants.keys()) {
    const { collected, settled } = await read(world, index, "/balance");
    const came = books.reported.filter(({ merchant, answeredAt }) => merchant === index && answeredAt !== undefined);
    if (came.length < books.reported.filter(({ merchant }) => merchant === index).length) continue;
    const nets = came.reduce((sum, { amount }) => sum + amount - Number(shareOf(BigInt(amount), FEE_BASIS_POINTS)), 0);
    const out = books.payouts
      .filter(({ merchant, reference }) => merchant === index && reference !== undefined)
      .map(({ reference = "" }) => paidOut.get(reference))
      .filter((payout) => payout?.status === "success")
      .reduce((sum, payout) => sum + koboOf(payout?.amount), 0);
    const held = koboOf(collected) + koboOf(settled);
    if (held !== nets - out) wrong.push(`merchant ${index} has ${held}, and ${nets} came in and ${out} went out`);
  }
  return listed("a balance", wrong);
};
