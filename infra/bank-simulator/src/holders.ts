const FIRST_NAMES = ["ADAEZE", "BOLA", "CHIDI", "DAYO", "EMEKA", "FUNKE", "HALIMA", "IBRAHIM", "NGOZI", "TUNDE"];
const LAST_NAMES = ["ADEBAYO", "BELLO", "CHUKWU", "DANJUMA", "EZE", "LAWAL", "MUSA", "NWOSU", "OKAFOR", "YUSUF"];

/** The holder of an account at another bank, where every valid number exists. */
export function holderOf(accountNumber: string): string {
  return `${FIRST_NAMES[Number(accountNumber[8])]} ${LAST_NAMES[Number(accountNumber[7])]}`;
}
