/** The last weeks of a fictional small shop: pure, and the same for the same end. */

export type HistoryCustomer = {
  customer_reference: string;
  customer_name: string;
  bank_name: string;
  account_number: string;
};
export type HistoryTransfer = {
  id: string;
  customer: HistoryCustomer;
  /** Naira. */
  amount: number;
  /** RFC 3339. */
  paid_at: string;
};

export const HISTORY_DAYS = 28;
const DAY_MS = 86_400_000;
/** Nigeria has no daylight saving time. */
const LAGOS_AHEAD_MS = 3_600_000;

/** [name, bank]; including a long name, a right-to-left name and one with an emoji. */
const PEOPLE = [
  ["Adaeze Obi", "GTBank"],
  ["Tunde Bakare", "Access Bank"],
  ["Ngozi Eze", "Zenith Bank"],
  ["Ibrahim Musa", "First Bank"],
  ["Funmilayo Adeyemi", "UBA"],
  ["Chinedu Okafor", "Fidelity Bank"],
  ["Amina Yusuf", "Kuda"],
  ["Oluwaseun Adebayo-Ogunleye and Daughters Catering Services (Surulere Branch)", "Sterling Bank"],
  ["يوسف إبراهيم", "Jaiz Bank"],
  ["Blessing Etim 🌸", "OPay"],
  ["Emeka Nwosu", "Stanbic IBTC"],
  ["Halima Sani", "Union Bank"],
  ["Bola Fashola", "Wema Bank"],
  ["Uche Nnamdi", "PalmPay"],
  ["Kemi Alade", "FCMB"],
  ["Yakubu Gowon Primary School", "Polaris Bank"],
  ["Sade Coker", "Moniepoint"],
  ["Musa Danjuma", "Ecobank"],
] as const;

/** The shop's prices in naira, some with kobo. */
const PRICES = [1_500, 2_500, 2_750.5, 3_200, 4_999.99, 6_000, 7_850, 12_000, 18_500, 25_000, 43_750.25, 120_000];

export function historyCustomers(count: number = PEOPLE.length): HistoryCustomer[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, bank] = PEOPLE[index % PEOPLE.length] ?? PEOPLE[0];
    const round = Math.floor(index / PEOPLE.length);
    return {
      customer_reference: `cust_${String(index + 1).padStart(4, "0")}`,
      customer_name: round === 0 ? name : `${name.slice(0, 80)} ${round + 1}`,
      bank_name: bank,
      account_number: String(2_000_000_000 + index * 7_919),
    };
  });
}

/**
 * `count` transfers over the days before `until`, oldest first: more by day than at night, fewer on Sundays, and some customers
 * far more often than others. Ids begin with `prefix`.
 */
export function historyTransfers(options: {
  customers: HistoryCustomer[];
  count: number;
  days: number;
  until: Date;
  prefix: string;
}): HistoryTransfer[] {
  const { customers, count, days, until, prefix } = options;
  const random = seeded(count);
  const times = Array.from({ length: count }, () => until.getTime() - timeBeforeEnd(random, { until, days })).sort(
    (a, b) => a - b,
  );
  return times.map((time, index) => ({
    id: `${prefix}-${index}`,
    customer: pick(customers, random() ** 2),
    amount: pick(PRICES, random()),
    paid_at: new Date(time).toISOString().replace("Z", "+00:00"),
  }));
}

/** Milliseconds before the end. Most times at night or on a Sunday in Lagos are drawn again. */
function timeBeforeEnd(random: () => number, { until, days }: { until: Date; days: number }): number {
  for (;;) {
    const back = random() * days * DAY_MS;
    const inLagos = new Date(until.getTime() - back + LAGOS_AHEAD_MS);
    const hour = inLagos.getUTCHours();
    const isQuiet = hour < 7 || hour >= 22 || inLagos.getUTCDay() === 0;
    if (!isQuiet || random() < 0.2) return back;
  }
}

function pick<Value>(values: readonly Value[], share: number): Value {
  const value = values[Math.floor(share * values.length)];
  if (value === undefined) throw new Error("cannot pick from an empty list");
  return value;
}

/** A seeded pseudorandom generator of numbers in [0, 1) (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
