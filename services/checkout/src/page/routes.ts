import { Outcome, PayerDetails, Problem } from "@collect/contracts";
import { type HttpApp, onlyMethods, readBody, renderProblem, requestIdOf } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { RequestHandler } from "express";
import { z } from "zod";
import { notFound } from "../domain/reference.ts";
import { BODY_BYTES_MAX, fieldsOf } from "../http/fields.ts";
import type { Limits } from "../http/limits.ts";
import { wellFormedReference } from "../http/sessions.ts";
import type { Links } from "../use-cases/links.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import type { Simulate } from "../use-cases/simulate.ts";
import { assetRoutes } from "./assets.ts";
import { typedIn } from "./form-field.ts";
import { linkRoutes } from "./link-routes.ts";
import { renderNotice } from "./notices.ts";
import { forPages, pageOf } from "./policy.ts";
import { type After, renderSession } from "./session-page.ts";

type Deps = {
  sessions: Sessions;
  links: Links;
  simulate: Simulate;
  live: RequestHandler;
  limits: Limits;
  log: Logger;
};

/** `{checkout_host}/pay/{reference}`, which needs no script, and what one makes better. */
export function pageRoutes({ sessions, links, simulate, live, limits, log }: Deps) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  return (app: HttpApp): void => {
    assetRoutes(app);
    app.use(["/pay", "/l"], forPages);
    app.use("/pay", keepOpener);
    app.get("/pay/:reference", wellFormedReference, limits.reads, showSession(sessions));
    app.all("/pay/:reference", onlyMethods("GET"));
    app.get("/pay/:reference/live", wellFormedReference, limits.reads, live);
    app.all("/pay/:reference/live", onlyMethods("GET"));
    app.post("/pay/:reference/details", wellFormedReference, limits.details, body, takeDetails(sessions));
    app.all("/pay/:reference/details", onlyMethods("POST"));
    app.post("/pay/:reference/sent", wellFormedReference, limits.sent, body, takeSent(sessions));
    app.all("/pay/:reference/sent", onlyMethods("POST"));
    app.post(
      "/pay/:reference/simulate",
      wellFormedReference,
      limits.simulations,
      ofTestSession(sessions),
      body,
      takeSimulation(sessions, simulate),
    );
    app.use("/pay", () => {
      throw notFound();
    });
    linkRoutes({ links, limits })(app);
    app.use(
      ["/pay", "/l"],
      renderProblem(
        log,
        (response, document) => void response.type("html").send(renderNotice(pageOf(response), document)),
      ),
    );
  };
}

/**
 * A page that checkout.js opened tells its opener how the payment stands, so it must keep its opener. Nothing secret is in what is told:
 * a status, to a window that named the payment's reference first, and so could read the same for itself.
 */
const keepOpener: RequestHandler = (_request, response, next) => {
  response.setHeader("Cross-Origin-Opener-Policy", "unsafe-none");
  next();
};

function showSession(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const session = await sessions.find(String(request.params.reference));
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    const outcome = Outcome.safeParse(request.query.simulated);
    const after: After = outcome.success ? { simulated: { outcome: outcome.data } } : {};
    response.type("html").send(renderSession(pageOf(response), session, after));
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
        const wrong = new Set(error.errors?.map(({ param }) => param));
        const typed = { values: typedIn(request.body, ["name", "email"]), wrong };
        response
          .status(400)
          .type("html")
          .send(renderSession(pageOf(response), session, { typed }));
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

const Simulation = z.object({ outcome: Outcome });
/** What whoever simulates can do something about. */
const SIMULATION_REFUSALS = new Set(["validation_failed", "account_retired"]);

/** Before anything of the call is looked at: it would tell that the address is there. */
function ofTestSession(sessions: Sessions): RequestHandler {
  return async (request, _response, next) => {
    const { merchant } = await sessions.find(String(request.params.reference));
    if (merchant.mode !== "test") throw notFound();
    next();
  };
}

function takeSimulation(sessions: Sessions, simulate: Simulate): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    const { outcome } = fieldsOf(Simulation, request, response);
    try {
      await simulate(reference, outcome, requestIdOf(response));
    } catch (error) {
      const isTheirs = error instanceof Problem && SIMULATION_REFUSALS.has(error.code);
      if (!isTheirs) throw error;
      const session = await sessions.find(reference);
      const after = { simulated: { refusal: error.detail } };
      response
        .status(400)
        .type("html")
        .send(renderSession(pageOf(response), session, after));
      return;
    }
    response.redirect(303, `/pay/${reference}?simulated=${outcome}`);
  };
}
