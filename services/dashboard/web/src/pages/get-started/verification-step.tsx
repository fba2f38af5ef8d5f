import type { Checklist } from "./checklist.ts";
import { GoTo, type Step } from "./step.tsx";

const WORDS = {
  draft: {
    standing: undefined,
    why: "Live keys exist only once we have verified your business. Fill it in whenever you like; test mode goes on working.",
    button: "Verify the business",
  },
  submitted: {
    standing: "With us",
    why: "We are reading what you sent. You see the answer here; nothing else is needed from you now.",
    button: "See what you sent",
  },
  returned: {
    standing: "Came back",
    why: "Something must be changed before we can approve it. The reason stands there.",
    button: "Change and submit again",
  },
  approved: {
    standing: "Approved",
    why: "Your business is verified. Make the live keys, and swap them for the test keys: no other code changes.",
    button: "See the verification",
  },
} as const;

/** The last step of test mode, and the first of live. */
export function verificationStep({ verification }: Checklist): Step {
  const { standing, why, button } = WORDS[verification];
  return {
    id: "verification",
    title: "Verify your business, for live money",
    isDone: verification === "approved",
    ...(standing && { standing }),
    why,
    action: <GoTo path="settings/verification">{button}</GoTo>,
  };
}
