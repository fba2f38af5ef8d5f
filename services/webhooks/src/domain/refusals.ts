import { Problem } from "@collect/contracts";

export const noSuchEvent = () => new Problem("not_found", "No event has this number.");

export const noUrl = () => new Problem("conflict", "No webhook URL is set. Set one first.");

export const noEndpoint = () =>
  new Problem("not_found", "No webhook endpoint has been set for this merchant and mode.");
