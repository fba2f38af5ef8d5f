import { randomUUID } from "node:crypto";
import { checkFields, LinkSlug, PayerDetails, Problem, parseFields, type SessionSnapshot } from "@collect/contracts";
import { contextOf, type HttpApp, isFromOurPage, onlyMethods, readBody } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { typedAmount } from "../domain/typed-amount.ts";
import { BODY_BYTES_MAX, clientOf } from "../http/fields.ts";
import type { Limits } from "../http/limits.ts";
import { type Links, noSuchLink, type PayableLink } from "../use-cases/links.ts";
import { submittedValues } from "./form-field.ts";
import { type LinkFormInput, type LinkView, renderClosedLink, renderLink } from "./link-page.ts";
import { pageOf } from "./policy.ts";

/** `{checkout_host}/l/{slug}`: a payment link. Each payer who submits its form gets a session and its page. */
export function linkRoutes({ links, limits }: { links: Links; limits: Limits }) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  return (app: HttpApp): void => {
    app.get("/l/:slug", wellFormedSlug, limits.link_reads, showLink(links));
    app.post("/l/:slug", wellFormedSlug, limits.link_forms, body, submitPayment(links));
    app.all("/l/:slug", onlyMethods("GET", "POST"));
    app.use("/l", () => {
      throw noSuchLink();
    });
  };
}

/** A malformed slug is refused before anything is counted or requested. */
const wellFormedSlug: RequestHandler = (request, _response, next) => {
  if (!LinkSlug.safeParse(request.params.slug).success) throw noSuchLink();
  next();
};

function showLink(links: Links): RequestHandler {
  return async (request, response) => {
    const view = await viewOf(links, request, response);
    respond(response, view, 200, { key: randomUUID(), values: new Map(), invalid: new Set() });
  };
}

/**
 * Names the payment that was started through a link on this device, so that a payer who returns finds it. Only the
 * link's own page gets it, no script can read it, and it is gone when the payment can change no more: the next person
 * at a shared device finds little.
 */
const COOKIE = "payment";

/** Another website can submit the form too, and must not plant a payment that it knows in a payer's browser. */
function remember(request: Request, response: Response, { reference, watchUntil }: SessionSnapshot): void {
  if (!isFromOurPage(request)) return;
  response.cookie(COOKIE, reference, {
    path: `/l/${request.params.slug}`,
    expires: new Date(watchUntil),
    httpOnly: true,
    sameSite: "lax",
    secure: request.secure,
  });
}

async function viewOf(links: Links, request: Request, response: Response): Promise<LinkView> {
  const slug = String(request.params.slug);
  const [, reference] = new RegExp(`(?:^|; )${COOKIE}=(pay_\\w+)`).exec(request.get("cookie") ?? "") ?? [];
  const [link, known] = await Promise.all([
    links.find(slug, contextOf(response)),
    reference === undefined ? undefined : links.findPayment(slug, reference),
  ]);
  return { link, known };
}

/** The form of an active link, with its mistakes; for another link, the reason why it cannot be paid. */
function respond(response: Response, view: LinkView, status: number, input: LinkFormInput): void {
  const { link } = view;
  response.locals.mode = link.mode;
  response.type("html");
  const page = pageOf(response);
  if (link.status === "active") response.status(status).send(renderLink(page, view, input));
  else response.status(link.status === "held" ? 409 : 410).send(renderClosedLink(page, view, link.status));
}

const Key = z.object({ key: z.uuid() });
/** Parses the amount as it was typed. */
const TypedAmount = z.string().transform((text, context) => {
  const amount = typedAmount(text);
  if (amount !== undefined) return amount;
  context.issues.push({ code: "custom", input: text, message: "must be an amount in naira" });
  return z.NEVER;
});

function submitPayment(links: Links): RequestHandler {
  return async (request, response) => {
    const slug = String(request.params.slug);
    const context = contextOf(response);
    const input = {
      // The key is a hidden field: a form without it is not from our page.
      ...parseFields(Key, request.body),
      values: submittedValues(request.body, ["amount", "name", "email"]),
      invalid: new Set<string>(),
    };
    const view = await viewOf(links, request, response);
    const { link } = view;
    const form = checkFields(formOf(link), request.body);
    if (!form.success) {
      const invalid = new Set(form.errors.map(({ param }) => param));
      return respond(response, view, 400, { ...input, invalid });
    }
    // Even for a link that cannot be paid: a payer who submits a page again is redirected to the existing payment.
    try {
      const { amount = null, name, email } = form.data;
      const session = await links.createSession(
        { link, slug, key: input.key, amount, name, email },
        { context, client: clientOf(request) },
      );
      remember(request, response, session);
      response.redirect(303, `/pay/${session.reference}`);
    } catch (error) {
      await respondToRefusal(response, error, { links, view, input });
    }
  };
}

const formOf = ({ amount }: PayableLink) =>
  PayerDetails.extend({
    amount:
      amount === null
        ? TypedAmount
        : z
            .unknown()
            .optional()
            .transform(() => null),
  });

type Refused = { links: Links; view: LinkView; input: LinkFormInput };

/** Shows a refusal of payments that the payer can act on. */
async function respondToRefusal(response: Response, error: unknown, { links, view, input }: Refused): Promise<void> {
  if (!(error instanceof Problem)) throw error;
  if (error.code === "proof_required") return respond(response, view, 429, { ...input, proof: error.proof });
  if (error.code === "amount_slots_exhausted") return respond(response, view, 503, { ...input, isFull: true });
  const { link } = view;
  if (error.code === "amount_over_limit" && link.amount === null)
    return respond(response, view, 422, { ...input, invalid: new Set(["amount"]), isTooMuch: true });
  if (error.code !== "conflict") throw error;
  // The link may have been disabled, held or used up since it was read.
  const current = await links.find(link.slug, contextOf(response));
  if (current.status === "active") throw error;
  respond(response, { ...view, link: current }, 410, input);
}
