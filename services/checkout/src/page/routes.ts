import { notFound, Outcome, PayerDetails, Problem, type ProblemCode } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods, readBody, refuseOtherOrigins, renderProblem } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { RequestHandler } from "express";
import { z } from "zod";
import { BODY_BYTES_MAX, clientOf, fieldsOf } from "../http/fields.ts";
import type { Limits } from "../http/limits.ts";
import { wellFormedReference } from "../http/sessions.ts";
import type { Links } from "../use-cases/links.ts";
import type { Sessions } from "../use-cases/sessions.ts";
import type { Simulate } from "../use-cases/simulate.ts";
import { assetRoutes } from "./assets.ts";
import { sendCode } from "./code.ts";
import { submittedValues } from "./form-field.ts";
import { linkRoutes } from "./link-routes.ts";
import { renderNotice } from "./notices.ts";
import { forPages, pageOf } from "./policy.ts";
import { isPaid, renderReceipt } from "./receipt.ts";
import { type PageFeedback, renderSession } from "./session-page.ts";

type Deps = {
  sessions: Sessions;
  links: Links;
  simulate: Simulate;
  live: RequestHandler;
  limits: Limits;
  log: Logger;
};

/** `{checkout_host}/pay/{reference}`, which works without script, and the endpoints that its script uses. */
export function pageRoutes({ sessions, links, simulate, live, limits, log }: Deps) {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  const ours = [wellFormedReference, refuseOtherOrigins];
  return (app: HttpApp): void => {
    assetRoutes(app);
    app.use(["/pay", "/l"], forPages);
    app.use("/pay", keepOpener);
    app.get("/pay/:reference", wellFormedReference, limits.checkout_reads, showSession(sessions));
    app.all("/pay/:reference", onlyMethods("GET"));
    app.get("/pay/:reference/code.svg", wellFormedReference, limits.checkout_reads, sendCode);
    app.all("/pay/:reference/code.svg", onlyMethods("GET"));
    app.get("/pay/:reference/receipt", wellFormedReference, limits.checkout_reads, sendReceipt(sessions));
    app.all("/pay/:reference/receipt", onlyMethods("GET"));
    app.get("/pay/:reference/live", wellFormedReference, limits.checkout_reads, live);
    app.all("/pay/:reference/live", onlyMethods("GET"));
    app.post("/pay/:reference/details", ours, limits.checkout_details, body, submitDetails(sessions));
    app.all("/pay/:reference/details", onlyMethods("POST"));
    app.post("/pay/:reference/sent", ours, limits.checkout_sent, body, submitSent(sessions));
    app.all("/pay/:reference/sent", onlyMethods("POST"));
    app.post(
      "/pay/:reference/simulate",
      wellFormedReference,
      limits.simulations,
      requireTestSession(sessions),
      refuseOtherOrigins,
      body,
      submitSimulation(sessions, simulate),
    );
    app.use("/pay", () => {
      throw notFound();
    });
    linkRoutes({ links, limits })(app);
    app.use(
      ["/pay", "/l"],
      renderProblem(log, {
        write: (response, document) => void response.type("html").send(renderNotice(pageOf(response), document)),
      }),
    );
  };
}

/**
 * A page that checkout.js opened reports the payment's status to its opener, so it must keep its opener. Nothing
 * secret is reported: a status, to a window that named the payment's reference first and could therefore read the
 * status itself.
 */
const keepOpener: RequestHandler = (_request, response, next) => {
  response.setHeader("Cross-Origin-Opener-Policy", "unsafe-none");
  next();
};

function showSession(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const session = await sessions.findBranded(String(request.params.reference));
    response.locals.merchantId = session.merchant.id;
    response.locals.mode = session.merchant.mode;
    const outcome = Outcome.safeParse(request.query.simulated);
    const feedback: PageFeedback = outcome.success ? { simulated: { outcome: outcome.data } } : {};
    response.type("html").send(renderSession(pageOf(response), session, feedback));
  };
}

/** Saved, not opened. A session that is not paid has none. */
function sendReceipt(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const session = await sessions.findBranded(String(request.params.reference));
    if (!isPaid(session)) throw notFound();
    response.attachment(`receipt-${session.reference}.html`).send(renderReceipt(session));
  };
}

/** Refusals of details after which the payer can submit them again, with the status of the page that says so. */
const SHOWN_IN_FORM = new Map<ProblemCode, number>([
  ["validation_failed", 400],
  ["proof_required", 429],
  ["amount_slots_exhausted", 503],
]);

function submitDetails(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    try {
      await sessions.giveDetails(reference, fieldsOf(PayerDetails, request, response), {
        context: contextOf(response),
        client: clientOf(request),
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const status = SHOWN_IN_FORM.get(error.code);
      if (status) {
        const session = await sessions.findBranded(reference);
        const input = {
          values: submittedValues(request.body, ["name", "email"]),
          invalid: new Set(error.errors?.map(({ param }) => param)),
          proof: error.proof,
          isFull: error.code === "amount_slots_exhausted",
        };
        response
          .status(status)
          .type("html")
          .send(renderSession(pageOf(response), session, { input }));
        return;
      }
      // A concurrent submission was first, or the time is up: the page shows the next step.
      if (error.code !== "details_already_given" && error.code !== "session_closed") throw error;
    }
    response.redirect(303, `/pay/${reference}`);
  };
}

function submitSent(sessions: Sessions): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    await sessions.reportSent(reference, contextOf(response));
    response.redirect(303, `/pay/${reference}`);
  };
}

const Simulation = z.object({ outcome: Outcome });
/** Refusals that the person who simulates can act on. */
const SIMULATION_REFUSALS = new Set(["validation_failed", "account_retired"]);

/** Runs before the body is read, because an error about the body would reveal that the endpoint exists. */
function requireTestSession(sessions: Sessions): RequestHandler {
  return async (request, _response, next) => {
    const { merchant } = await sessions.find(String(request.params.reference));
    if (merchant.mode !== "test") throw notFound();
    next();
  };
}

function submitSimulation(sessions: Sessions, simulate: Simulate): RequestHandler {
  return async (request, response) => {
    const reference = String(request.params.reference);
    const { outcome } = fieldsOf(Simulation, request, response);
    try {
      await simulate(reference, outcome, contextOf(response));
    } catch (error) {
      const isActionable = error instanceof Problem && SIMULATION_REFUSALS.has(error.code);
      if (!isActionable) throw error;
      const session = await sessions.findBranded(reference);
      const feedback = { simulated: { refusal: error.detail } };
      response
        .status(400)
        .type("html")
        .send(renderSession(pageOf(response), session, feedback));
      return;
    }
    response.redirect(303, `/pay/${reference}?simulated=${outcome}`);
  };
}
