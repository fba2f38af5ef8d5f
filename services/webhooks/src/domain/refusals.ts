import { Problem } from "@collect/contracts";

export const noSuchEvent = () => new Problem("not_found", "No event has this number.");

export const noSuchEventId = () => new Problem("not_found", "No event has this id in the mode of the key.");

/** Why nothing can be sent: there is no URL, or it has not been confirmed. */
export const noUrl = (endpoint?: { unconfirmed_url: string | null }) =>
  new Problem(
    "no_webhook_url",
    endpoint?.unconfirmed_url
      ? "The webhook URL has not answered its challenge. Answer it, send the challenge again, and repeat this."
      : "No webhook URL is set. Set one first.",
  );

export const replayRunning = () =>
  new Problem(
    "replay_running",
    "A replay of other events is running. Wait until they are sent, or cancel it in the dashboard.",
  );

export const noEndpoint = () =>
  new Problem("not_found", "No webhook endpoint has been set for this merchant and mode.");
