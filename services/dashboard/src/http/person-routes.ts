import { type HttpApp, onlyMethods, readBody, requestIdOf } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import { PERSON_ACTS } from "../calls/person.ts";
import { createBusiness } from "../handlers/businesses.ts";
import { acceptInvitation } from "../handlers/invitations.ts";
import { type PersonDeps, reauthenticate, setPassword, showMe } from "../handlers/person.ts";
import { signInByLink } from "../handlers/sign-in-links.ts";
import { readFields } from "./fields.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { SignedIn } from "./sessions.ts";

const BODY_BYTES_MAX = 8 * 1024;

type Declared<In, Out> = { input: In; output: Out };
type Handler<In extends z.ZodObject, Out extends z.ZodType, Session> = (
  deps: PersonDeps,
  call: { input: z.output<In>; session: Session; request: Request; response: Response; requestId: string },
) => Promise<z.input<Out>>;

/** The routes about the user rather than one merchant. */
export function personRoutes(deps: PersonDeps & { limits: RateLimits }): (app: HttpApp) => void {
  const { limits, sessions } = deps;
  /** Runs before validation, so that a signed-out caller gets no field errors. */
  const identify: RequestHandler = async (request, response, next) => {
    response.locals.session = await sessions.signedIn(request);
    response.locals.userId = response.locals.session.user_id;
    next();
  };
  const perUser = (name: "confirmation" | "businesses_user") =>
    limits.limit(name, (_request, response) => response.locals.userId);
  const tokens = limits.byAddress("token_address");

  return (app) => {
    const post = <In extends z.ZodObject, Out extends z.ZodType, Session>(
      path: keyof typeof PERSON_ACTS,
      declared: Declared<In, Out>,
      steps: RequestHandler[],
      handler: Handler<In, Out, Session>,
    ) => {
      const respond: RequestHandler = async (request, response) => {
        const { fields: input, session } = response.locals;
        response.json(await handler(deps, { input, session, request, response, requestId: requestIdOf(response) }));
      };
      app.post(
        `/api/${path}`,
        ...steps,
        ...readBody({ maxBytes: BODY_BYTES_MAX }),
        readFields(declared.input),
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

    app.get("/api/me", async (request, response) => {
      response.json(await showMe(deps, { request, response, requestId: requestIdOf(response) }));
    });
    app.all("/api/me", onlyMethods("GET"));
    signedIn("reauthenticate", PERSON_ACTS.reauthenticate, perUser("confirmation"), reauthenticate);
    signedIn("password", PERSON_ACTS.password, perUser("confirmation"), setPassword);
    signedIn("merchants", PERSON_ACTS.merchants, perUser("businesses_user"), createBusiness);
    signedIn("invitations/accept", PERSON_ACTS["invitations/accept"], tokens, acceptInvitation);
    post("sign-in-link", PERSON_ACTS["sign-in-link"], [tokens], signInByLink);
  };
}
