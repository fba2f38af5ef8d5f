import { PayerDetails, Problem } from "@collect/contracts";
import { type HttpApp, onlyMethods, readBody, renderProblem, requestIdOf } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { RequestHandler } from "express";
import { notFound } from "../../domain/reference.ts";
import { BODY_BYTES_MAX, fieldsOf } from "../fields.ts";
import type { Limits } from "../limits.ts";
import { wellFormedReference } from "../routes.ts";
import type { Sessions } from "../sessions.ts";
import { renderDetailsAgain } from "./details-form.ts";
import { renderNotice } from "./notices.ts";
import { renderSession } from "./session-page.ts";
import { STYLESHEET_PATH, serveStylesheet } from "./stylesheet.ts";

/** The page runs no script, asks nobody else for anything, and cannot be framed. */
export const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** `{checkout_host}/pay/{reference}`: a form and a refresh, which is all a payer needs. */
export function pageRoutes({ sessions, limits, log }: { sessions: Sessions; limits: Limits; log: Logger }) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  return (app: HttpApp): void => {
    app.get(STYLESHEET_PATH, serveStylesheet);
    app.all(STYLESHEET_PATH, onlyMethods("GET"));
    app.get("/pay/:reference", wellFormedReference, limits.reads, showSession(sessions));
    app.all("/pay/:reference", onlyMethods("GET"));
    app.post("/pay/:reference/details", wellFormedReference, limits.details, body, takeDetails(sessions));
    app.all("/pay/:reference/details", onlyMethods("POST"));
    app.post("/pay/:reference/sent", wellFormedReference, limits.sent, body, takeSent(sessions));
    app.all("/pay/:reference/sent", onlyMethods("POST"));
    app.use("/pay", () => {
      throw notFound();
    });
    app.use(
      "/pay",
      renderProblem(log, (response, document) => void response.type("html").send(renderNotice(document))),
    );
  };
}

function showSession(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const session = await sessions.find(String(request.params.reference));
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    response.type("html").send(renderSession(session, new Date()));
  };
}

function takeDetails(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    try {
      await sessions.giveDetails(reference, fieldsOf(PayerDetails, request, response), requestIdOf(response));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === "validation_failed") {
        const session = await sessions.find(reference);
        const typed = { ...typedIn(request.body), wrong: new Set(error.errors?.map(({ param }) => param)) };
        response.status(400).type("html").send(renderDetailsAgain(session, typed));
        return;
      }
      // Somebody gave theirs first: the page has moved on, and shows what to do.
      if (error.code !== "details_already_given") throw error;
    }
    response.redirect(303, `/pay/${reference}`);
  };
}

function takeSent(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    await sessions.reportSent(reference, requestIdOf(response));
    response.redirect(303, `/pay/${reference}`);
  };
}

/** What stood in the fields, to be shown again as it was. */
function typedIn(body: Record<string, unknown>): { name: string; email: string } {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return { name: text(body.name), email: text(body.email) };
}
