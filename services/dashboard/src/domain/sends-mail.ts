import { Problem } from "@collect/contracts";

export function assertSendsMail({ SMTP_URL }: { SMTP_URL?: string | undefined }): void {
  if (SMTP_URL === undefined)
    throw new Problem("conflict", "This installation doesn't send email. Ask its operator for a sign-in link.");
}
