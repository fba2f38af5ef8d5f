import type { Checklist } from "./checklist.ts";
import { GoTo, type Step } from "./step.tsx";

const WORDS = {
  draft: {
    badge: undefined,
    why: "You can create live keys once we have verified your business. Test mode keeps working in the meantime.",
    button: "Verify business",
  },
  submitted: {
    badge: "In review",
    why: "We're reviewing your details. You'll see the result here. There's nothing else to do for now.",
    button: "View your details",
  },
  returned: {
    badge: "Changes requested",
    why: "Something needs to change before we can approve it. See the reason there.",
    button: "Edit and resubmit",
  },
  approved: {
    badge: "Approved",
    why: "Your business is verified. Create live keys and replace your test keys with them. No other code changes are needed.",
    button: "View verification",
  },
} as const;

/** The last step in test mode and the first in live mode. */
export function verificationStep({ verification }: Checklist): Step {
  const { badge, why, button } = WORDS[verification];
  return {
    id: "verification",
    title: "Verify your business for live payments",
    isDone: verification === "approved",
    ...(badge && { badge }),
    why,
    action: <GoTo path="settings/verification">{button}</GoTo>,
  };
}
