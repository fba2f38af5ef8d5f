import { Problem } from "@collect/contracts";
import type { Request, RequestHandler } from "express";

/** Browsers name the site of a call, or at least its origin, which no page can forge. */

/** Whether a page of this host made the call. */
export function isFromOurPage(request: Request): boolean {
  const site = request.get("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.get("origin") === originOf(request);
}

/**
 * Refuses what a page of another origin sends: a form needs no preflight. Servers and apps name no origin, and what a person does
 * without a page, such as restoring a tab, comes from no site.
 */
export const refuseOtherOrigins: RequestHandler = (request, _response, next) => {
  const site = request.get("sec-fetch-site");
  const isOther = site === undefined ? isNamedByAnother(request) : site !== "same-origin" && site !== "none";
  if (isOther)
    throw new Problem(
      "origin_not_allowed",
      "A page of another origin cannot make this call in a browser. Send the payer to the checkout page, or make it from your server or app.",
    );
  next();
};

function isNamedByAnother(request: Request): boolean {
  const origin = request.get("origin");
  return origin !== undefined && origin !== originOf(request);
}

const originOf = (request: Request): string => `${request.protocol}://${request.host}`;
