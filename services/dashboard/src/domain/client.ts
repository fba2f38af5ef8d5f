/** From where a call came, as mails say it. */
export type Client = { ip: string | null; user_agent: string | null };
