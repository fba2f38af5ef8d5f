/**
 * The six digits under which NIP, the instant payments of NIBSS, knows each bank of `BANKS`: the institution in a payout to it,
 * and the first digits of a session id. By our code. Compiled on 2026-11-23 from NIBSS's list of institutions of 2021-03-31 (in
 * github.com/crypticwisdom/up-exchange-platform, commit a95100c) and, for the banks that joined later, from
 * github.com/clinton-lynx/MansaPay_FE (commit a21f2da), which agrees with it wherever a bank is in both.
 */
const NIP_CODES: ReadonlyMap<string, string> = new Map([
  ["011", "000016"],
  ["023", "000009"],
  ["032", "000018"],
  ["033", "000004"],
  ["035", "000017"],
  ["044", "000014"],
  ["050", "000010"],
  ["057", "000015"],
  ["058", "000013"],
  ["068", "000021"],
  ["070", "000007"],
  ["076", "000008"],
  ["082", "000002"],
  ["100", "000022"],
  ["101", "000023"],
  ["102", "000025"],
  ["103", "000027"],
  ["104", "000030"],
  ["105", "000031"],
  ["106", "000034"],
  ["107", "000036"],
  ["214", "000003"],
  ["215", "000011"],
  ["221", "000012"],
  ["232", "000001"],
  ["301", "000006"],
  ["302", "000026"],
  ["303", "000029"],
  ["501", "400001"],
  ["502", "000024"],
  ["559", "060001"],
  ["100002", "100002"],
  ["120001", "120001"],
  ["120002", "120002"],
  ["120003", "120003"],
  ["120004", "120004"],
  ["950211", "090267"],
  ["950515", "090405"],
  ["951113", "090286"],
  ["951310", "090325"],
  ["999991", "100033"],
  ["999992", "100004"],
]);

/** The code of a bank at NIP; undefined for a bank that is not one of `BANKS`. */
export const nipCodeOf = (bankCode: string): string | undefined => NIP_CODES.get(bankCode);
