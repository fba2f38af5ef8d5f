import { shareOf } from "@collect/money";
import { koboOf } from "../observations.ts";
import { read } from "./api.ts";
import { type Invariant, listed } from "./invariant.ts";
import { payoutsAtBank } from "./payouts.ts";

const FEE_BASIS_POINTS = 100;

export const balances: Invariant = async (world) => {
  const { merchants, observations } = world;
  const paidOut = new Map((await payoutsAtBank(world)).map(({ id, status, amount }) => [id, { status, amount }]));
  const wrong: string[] = [];
  for (const index of merchants.keys()) {
    const { collected, settled } = await read(world, index, "/balance");
    const acknowledged = observations.reported.filter(
      ({ merchant, acknowledgedAt }) => merchant === index && acknowledgedAt !== undefined,
    );
    if (acknowledged.length < observations.reported.filter(({ merchant }) => merchant === index).length) continue;
    const nets = acknowledged.reduce(
      (sum, { amount }) => sum + amount - Number(shareOf(BigInt(amount), FEE_BASIS_POINTS)),
      0,
    );
    const out = observations.payouts
      .filter(({ merchant, reference }) => merchant === index && reference !== undefined)
      .map(({ reference = "" }) => paidOut.get(reference))
      .filter((payout) => payout?.status === "success")
      .reduce((sum, payout) => sum + koboOf(payout?.amount), 0);
    const actual = koboOf(collected) + koboOf(settled);
    if (actual !== nets - out) wrong.push(`merchant ${index} has ${actual}, but received ${nets} and sent ${out}`);
  }
  return listed("a balance", wrong);
};
