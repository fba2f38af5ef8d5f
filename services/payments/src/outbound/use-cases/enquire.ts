import type { PayoutBank } from "@collect/bank";
import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { EnquiryLimits } from "../domain/enquiry-limits.ts";
import { NAMED_FROM } from "../domain/holder-name.ts";
import { accountKey } from "../domain/reference.ts";
import {
  beginEnquiry,
  type EnquiryAnswer,
  knowsHolder,
  type NewEnquiry,
  recordAnswer,
  recordFailedOrder,
  recordFileEnquiry,
  secondsUntilAllowed,
} from "../store/account-enquiries.ts";
import { resolveAccount } from "./resolve-account.ts";

type Deps = { config: { TRANSFER_KEY: string }; pool: Pool; enquiryLimits: EnquiryLimits };
/** `payouts` is the bank that is asked. */
type Asked = Omit<NewEnquiry, "accountKey"> & { payouts: PayoutBank };
type Names = Awaited<ReturnType<typeof resolveAccount>>;

/**
 * The names of an account's bank and holder, for whoever asks: counted and recorded before the bank is called, so that a crash
 * in between costs the merchant an enquiry and never hides one.
 */
export async function enquire(deps: Deps, asked: Asked): Promise<Names> {
  const { pool, enquiryLimits } = deps;
  const { merchant, account, payouts } = asked;
  const begun = await beginEnquiry(pool, withKey(deps, asked), { perHour: enquiryLimits.enquiries });
  if ("retryAfterS" in begun)
    throw new Problem(
      "rate_limited",
      `At most ${enquiryLimits.enquiries} accounts can be looked up in any 60 minutes. Wait the number of seconds in the Retry-After header.`,
      begun,
    );
  try {
    const names = await resolveAccount(payouts, merchant.mode, account);
    await recordAnswer(pool, begun.id, "named");
    return names;
  } catch (error) {
    await recordAnswer(pool, begun.id, answerOf(error));
    throw error;
  }
}

/**
 * The same for a payout that is being ordered, and whether the name is withheld from the merchant. Live orders that name no
 * existing account are counted; the others spend enquiries while some are left for orders, and are never refused.
 */
export async function enquireForOrder(deps: Deps, asked: Asked): Promise<Names & { isWithheld: boolean }> {
  const { pool, enquiryLimits } = deps;
  const { merchant, account, payouts } = asked;
  if (merchant.mode === "test") return { ...(await resolveAccount(payouts, "test", account)), isWithheld: false };
  const enquiry = withKey(deps, asked);
  const perHour = enquiryLimits.failedOrders;
  const retryAfterS = await secondsUntilAllowed(pool, { merchantId: merchant.id, purpose: "order", perHour });
  if (retryAfterS !== undefined)
    throw new Problem(
      "rate_limited",
      `${perHour} transfers in 60 minutes named accounts that do not exist. Check your list; look accounts up with POST /transfers/resolve first.`,
      { retryAfterS },
    );
  const names = await resolveAccount(payouts, merchant.mode, account).catch(async (error) => {
    if (answerOf(error) === "unresolved") await recordFailedOrder(pool, enquiry);
    throw error;
  });
  return { ...names, isWithheld: !(await mayShowName(deps, enquiry)) };
}

/** The same for a line of a file of transfers, each of which is recorded: how many there may be is decided when a file is uploaded. */
export async function enquireForFile(deps: Deps, asked: Asked): Promise<Names & { isWithheld: boolean }> {
  if (asked.merchant.mode === "test") return enquireForOrder(deps, asked);
  const id = await recordFileEnquiry(deps.pool, withKey(deps, asked));
  const answered = (answer: EnquiryAnswer) => recordAnswer(deps.pool, id, answer);
  try {
    const names = await enquireForOrder(deps, asked);
    await answered("named");
    return names;
  } catch (error) {
    await answered(answerOf(error));
    throw error;
  }
}

/** The name is shown after this is recorded: a crash in between costs an enquiry and never hides one. */
async function mayShowName({ pool, enquiryLimits }: Deps, enquiry: NewEnquiry): Promise<boolean> {
  if (await knowsHolder(pool, enquiry, NAMED_FROM)) return true;
  const perHour = enquiryLimits.namedOrders;
  // Without the lock first: the orders of a long payroll, beyond the budget, do not queue for it.
  const budget = { merchantId: enquiry.merchant.id, purpose: "enquiry", perHour } as const;
  if ((await secondsUntilAllowed(pool, budget)) !== undefined) return false;
  return "id" in (await beginEnquiry(pool, enquiry, { perHour, answer: "named" }));
}

const withKey = ({ config }: Deps, asked: Asked): NewEnquiry => ({
  ...asked,
  accountKey: accountKey(config.TRANSFER_KEY, asked.merchant, asked.account),
});

const answerOf = (error: unknown): EnquiryAnswer =>
  error instanceof Problem && error.code === "account_unresolved" ? "unresolved" : "failed";
