import type { RequestContext } from "@collect/contracts";
import { contextOf, type HttpApp, onlyMethods, readBody, setActor } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { PERSON_ACTS } from "../calls/person.ts";
import { sha256 } from "../domain/token.ts";
import { confirm, sendConfirmation } from "../handlers/addresses.ts";
import { createBusiness } from "../handlers/businesses.ts";
import { beginEnrolment, confirmEnrolment } from "../handlers/enrolment.ts";
import { acceptInvitation, showInvitation } from "../handlers/invitations.ts";
import { requestPasswordReset, resetPassword } from "../handlers/password-reset.ts";
import { type PersonDeps, reauthenticate, setPassword, showMe } from "../handlers/person.ts";
import { signInByLink } from "../handlers/sign-in-links.ts";
import { listSignIns } from "../store/sign-ins.ts";
import { readFields } from "./fields.ts";
import type { RateLimits } from "./rate-limits.ts";
import { asActor, type Sessions, type SignedIn } from "./sessions.ts";

const BODY_BYTES_MAX = 8 * 1024;
const SIGN_INS_SHOWN = 50;

type Declared<In, Out> = { input: In; output: Out };
type Handler<In extends z.ZodObject, Out extends z.ZodType, Session> = (
  deps: PersonDeps,
  call: { input: z.output<In>; session: Session; request: Request; response: Response; context: RequestContext },
) => Promise<z.input<Out>>;

/** The routes about the user rather than one merchant. */
export function personRoutes(deps: PersonDeps & { limits: RateLimits }): (app: HttpApp) => void {
  const { limits, sessions } = deps;
  const identify = identifyWith(sessions);
  const perUser = (name: "confirmation" | "businesses_user" | "confirm_user" | "enrol_user") =>
    limits.limit(name, (_request, response) => response.locals.userId);
  const [tokens, byCaller] = [limits.byAddress("token_address"), limits.byAddress("reset_address")];

  return (app) => {
    const post = <In extends z.ZodObject, Out extends z.ZodType, Session>(
      path: keyof typeof PERSON_ACTS,
      declared: Declared<In, Out>,
      steps: RequestHandler[],
      handler: Handler<In, Out, Session>,
      limitsByField: RequestHandler[] = [],
    ) => {
      const respond: RequestHandler = async (request, response) => {
        const { fields: input, session } = response.locals;
        response.json(await handler(deps, { input, session, request, response, context: contextOf(response) }));
      };
      app.post(
        `/api/${path}`,
        ...steps,
        ...readBody({ maxBytes: BODY_BYTES_MAX }),
        readFields(declared.input),
        ...limitsByField,
        respond,
      );
      app.all(`/api/${path}`, onlyMethods("POST"));
    };
    const signedIn = <In extends z.ZodObject, Out extends z.ZodType>(
      path: keyof typeof PERSON_ACTS,
      declared: Declared<In, Out>,
      limit: RequestHandler,
      handler: Handler<In, Out, SignedIn>,
    ) => post(path, declared, [identify, limit], handler);

    readRoutes(app, deps);
    signedIn("reauthenticate", PERSON_ACTS.reauthenticate, perUser("confirmation"), reauthenticate);
    signedIn("password", PERSON_ACTS.password, perUser("confirmation"), setPassword);
    signedIn("merchants", PERSON_ACTS.merchants, perUser("businesses_user"), createBusiness);
    signedIn("invitations/accept", PERSON_ACTS["invitations/accept"], tokens, acceptInvitation);
    const [beginning, confirming] = [PERSON_ACTS["second-factor/begin"], PERSON_ACTS["second-factor/confirm"]];
    signedIn("second-factor/begin", beginning, perUser("enrol_user"), beginEnrolment);
    signedIn("second-factor/confirm", confirming, perUser("confirmation"), confirmEnrolment);
    signedIn("address/send", PERSON_ACTS["address/send"], perUser("confirm_user"), sendConfirmation);
    signedIn("address/confirm", PERSON_ACTS["address/confirm"], tokens, confirm);
    const byAccount = limits.limit("reset_account", (_request, { locals }) =>
      sha256(locals.fields.email).toString("hex"),
    );
    post("password-reset/request", PERSON_ACTS["password-reset/request"], [byCaller], requestPasswordReset, [
      byAccount,
    ]);
    post("invitations/show", PERSON_ACTS["invitations/show"], [tokens], showInvitation);
    post("password-reset", PERSON_ACTS["password-reset"], [tokens], resetPassword);
    post("sign-in-link", PERSON_ACTS["sign-in-link"], [tokens], signInByLink);
  };
}

function readRoutes(app: HttpApp, deps: PersonDeps): void {
  app.get("/api/me", async (request, response) => {
    response.json(await showMe(deps, { request, context: contextOf(response) }));
  });
  app.all("/api/me", onlyMethods("GET"));
  app.get("/api/sign-ins", identifyWith(deps.sessions), async (_request, response) => {
    response.json(await listSignIns(deps.pool, response.locals.userId, SIGN_INS_SHOWN));
  });
  app.all("/api/sign-ins", onlyMethods("GET"));
}

/** Runs before validation, so that a signed-out caller gets no field errors. */
function identifyWith(sessions: Sessions): RequestHandler {
  return async (request, response, next) => {
    response.locals.session = await sessions.signedIn(request);
    response.locals.userId = response.locals.session.user_id;
    setActor(response, asActor(response.locals.session));
    next();
  };
}
