/** The webhook of one mode without its secrets, as the server shows it. */
export type Webhook = {
  url: string | null;
  has_secret: boolean;
  secret_ends: string | null;
  staged: boolean;
  activates_at: string | null;
};
