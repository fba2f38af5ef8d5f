/** The receiver's settings, from the environment. */
export function readConfig(): { secret: string; port: number; file: string } {
  const { WEBHOOK_SECRET, PORT = "3000", CREDITED_FILE = "credited.sqlite" } = process.env;
  if (!WEBHOOK_SECRET) throw new Error("WEBHOOK_SECRET is missing: the signing secret, shown next to the webhook URL");
  return { secret: WEBHOOK_SECRET, port: Number(PORT), file: CREDITED_FILE };
}
