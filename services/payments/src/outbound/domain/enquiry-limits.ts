/** Limits of name enquiries, which show a merchant the name of any account's holder, and of files. Per merchant, in any 60 minutes. */
export const ENQUIRY_LIMITS = {
  /** Enquiries of their own, whichever door they come through, in both modes. */
  enquiries: 60,
  /**
   * So many of them may be spent by live orders to accounts whose holder the merchant does not know yet; half, so that a payroll
   * leaves some for a person who looks one up. Orders beyond are accepted, and withhold the name: holder-name.ts.
   */
  namedOrders: 30,
  /** Live orders that name an account which does not exist. */
  failedOrders: 60,
  /** Lines of live files of transfers that are checked: the bank is asked for each. Two of the largest files. */
  fileLines: 2_000,
  /** Files of transfers that are uploaded in one mode, whatever becomes of them: each is parsed, and stored if it is new. */
  files: 60,
};
export type EnquiryLimits = typeof ENQUIRY_LIMITS;
