import { randomUUID } from "node:crypto";
import { fieldErrors, invalidFields, LinkSlug, PayerDetails, Problem } from "@collect/contracts";
import { type HttpApp, onlyMethods, readBody, requestIdOf } from "@collect/http";
import type { RequestHandler, Response } from "express";
import { z } from "zod";
import { typedAmount } from "../domain/typed-amount.ts";
import { BODY_BYTES_MAX } from "../http/fields.ts";
import type { Limits } from "../http/limits.ts";
import { type Links, noSuchLink, type ShownLink } from "../use-cases/links.ts";
import { typedIn } from "./form-field.ts";
import { renderClosedLink, renderLink, type TypedForLink } from "./link-page.ts";
import { pageOf } from "./policy.ts";

/** `{checkout_host}/l/{slug}`: a link that a merchant made. Each payer who sends its form gets a session and its page. */
export function linkRoutes({ links, limits }: { links: Links; limits: Limits }) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  return (app: HttpApp): void => {
    app.get("/l/:slug", wellFormedSlug, limits.link_reads, showLink(links));
    app.post("/l/:slug", wellFormedSlug, body, countForm(limits), openPayment(links));
    app.all("/l/:slug", onlyMethods("GET", "POST"));
    app.use("/l", () => {
      throw noSuchLink();
    });
  };
}

/** What cannot be a slug is refused before anything is counted or asked. */
const wellFormedSlug: RequestHandler = (request, _response, next) => {
  if (!LinkSlug.safeParse(request.params.slug).success) throw noSuchLink();
  next();
};

function showLink(links: Links): RequestHandler {
  return async (request, response) => {
    const link = await links.show(String(request.params.slug), requestIdOf(response));
    answer(response, link, 200, { key: randomUUID(), values: new Map(), wrong: new Set() });
  };
}

/** An active link's form, with what is wrong in it; of another link, why it takes nothing, or nothing at the moment. */
function answer(response: Response, link: ShownLink, status: number, typed: TypedForLink): void {
  response.locals.mode = link.mode;
  response.type("html");
  const page = pageOf(response);
  if (link.status === "active") response.status(status).send(renderLink(page, link, typed));
  else response.status(link.status === "held" ? 409 : 410).send(renderClosedLink(page, link, link.status));
}

const Key = z.object({ key: z.uuid() });
/** The amount as it was typed; what it comes to is known once it is read. */
const TypedAmount = z.string().transform((text, context) => {
  const amount = typedAmount(text);
  if (amount !== undefined) return amount;
  context.issues.push({ code: "custom", input: text, message: "must be an amount in naira" });
  return z.NEVER;
});

/**
 * A form that opens nothing, whatever the link is, spends a budget of its own: nobody keeps payers out by sending empty ones.
 * Which budget it is is known before the link is asked for.
 */
function countForm({ link_openings, link_mistakes }: Limits): RequestHandler {
  return (request, response, next) => {
    const count = CompleteForm.safeParse(request.body).success ? link_openings : link_mistakes;
    return count(request, response, next);
  };
}

const CompleteForm = PayerDetails.extend(Key.shape);

function openPayment(links: Links): RequestHandler {
  return async (request, response) => {
    const slug = String(request.params.slug);
    const requestId = requestIdOf(response);
    const key = Key.safeParse(request.body);
    // Nobody types it: a form without it is not ours.
    if (!key.success) throw invalidFields(fieldErrors(key.error));
    const typed = { ...key.data, values: typedIn(request.body, ["amount", "name", "email"]), wrong: new Set<string>() };
    const link = await links.show(slug, requestId);
    const form = formOf(link).safeParse(request.body);
    if (!form.success) {
      const wrong = new Set(fieldErrors(form.error).map(({ param }) => param));
      return answer(response, link, 400, { ...typed, wrong });
    }
    // Of a link that takes nothing too: who sends a page again has a payment already, and is led to it.
    try {
      const { amount = null, name, email } = form.data;
      const session = await links.open({ slug, key: typed.key, amount, name, email }, requestId);
      response.redirect(303, `/pay/${session.reference}`);
    } catch (error) {
      await answerRefusal(response, error, { links, link, typed });
    }
  };
}

const formOf = ({ amount }: ShownLink) =>
  PayerDetails.extend({
    amount:
      amount === null
        ? TypedAmount
        : z
            .unknown()
            .optional()
            .transform(() => null),
  });

type Refused = { links: Links; link: ShownLink; typed: TypedForLink };

/** What payments refused, where the payer can do something about it. */
async function answerRefusal(response: Response, error: unknown, { links, link, typed }: Refused): Promise<void> {
  if (!(error instanceof Problem)) throw error;
  if (error.code === "amount_over_limit" && link.amount === null)
    return answer(response, link, 422, { ...typed, wrong: new Set(["amount"]), isTooMuch: true });
  if (error.code !== "conflict") throw error;
  // It may have been closed, held or used up since it was looked at.
  const current = await links.show(link.slug, requestIdOf(response));
  if (current.status === "active") throw error;
  answer(response, current, 410, typed);
}
