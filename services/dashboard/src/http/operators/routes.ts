import type { Bus } from "@collect/bus";
import { OperatorSignature, Problem, parseFields, type RequestContract } from "@collect/contracts";
import { assertFields, byPath, contextOf, type HttpApp, onlyMethods, pickFields, readBody } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import {
  DEAD_LETTER_ACTS,
  OPERATOR_ACTS,
  OPERATOR_FINDS,
  OPERATOR_KEY,
  OPERATOR_READS,
  OPERATOR_SIGN_INS,
} from "../../calls/operators.ts";
import { isAddressable } from "../../domain/reference.ts";
import { readDeadLetters, readSelfAudit } from "./composed.ts";
import { dayReportRoutes } from "./day-reports.ts";
import { partRoutes } from "./parts.ts";
import type { OperatorSessions } from "./sessions.ts";
import { limitStrangers } from "./strangers.ts";

const BODY_BYTES_MAX = 64 * 1024;

type Deps = { bus: Bus; sessions: OperatorSessions };

/** An act as the operator's browser signed it. The services verify the signature; here it only has to be the session's key. */
const SignedAct = z.object({ input: z.record(z.string(), z.unknown()), signature: OperatorSignature });
type SignedAct = z.output<typeof SignedAct>;

const READS = Object.entries(OPERATOR_READS).map(([path, contract]) => ({ path: `/api/${path}`, contract }));

/** What begins a session, as the gateway answers it. */
const SignedIn = z.object({ name: z.string(), set_up_at: z.string() });

/** The table of the operators' pages as routes. Every read and every act needs a session, and acts a signature besides. */
export function operatorRoutes({ bus, sessions }: Deps): (app: HttpApp) => void {
  const { limited, forward } = limitStrangers();
  const context = (response: Response) => ({ requestId: contextOf(response).requestId });
  const signedIn = (request: Request, response: Response) => sessions.signedIn(request, context(response));

  const read =
    (contract: RequestContract, fields = fieldsOf): RequestHandler =>
    async (request, response) => {
      await signedIn(request, response);
      response.json(await bus.request(contract, fields(contract, request), context(response)));
    };

  const act =
    (contract: RequestContract): RequestHandler =>
    async (request, response) => {
      const operator = await signedIn(request, response);
      const signed = parseFields(SignedAct, request.body);
      if (signed.signature.public_key !== operator.public_key)
        throw new Problem("invalid_operator", "This was signed with another key than you signed in with.");
      response.json(await send(bus, contract, signed));
    };

  const signIn =
    (contract: RequestContract): RequestHandler =>
    async (request, response) => {
      const signed = parseFields(SignedAct, request.body);
      const { name, set_up_at } = SignedIn.parse(await forward(request, () => send(bus, contract, signed)));
      sessions.begin(response, { name, set_up_at, public_key: signed.signature.public_key });
      response.json({ name, set_up_at });
    };

  return (app) => {
    const body = readBody({ maxBytes: BODY_BYTES_MAX });
    app.get("/api/me", async (request, response) => void response.json(await signedIn(request, response)));
    app.get("/api/key", limited, async (request, response) => {
      const asked = parseFields(OPERATOR_KEY.input, request.query);
      response.json(await forward(request, () => bus.request(OPERATOR_KEY, asked, context(response))));
    });
    app.post("/api/sign-out", (request, response) => {
      sessions.end(request, response);
      response.json({});
    });
    for (const [subject, contract] of Object.entries(OPERATOR_SIGN_INS))
      app.post(`/api/sign-in/${subject}`, limited, ...body, signIn(contract));
    for (const [subject, contract] of Object.entries({ ...OPERATOR_ACTS, ...DEAD_LETTER_ACTS }))
      app.post(`/api/acts/${subject}`, ...body, act(contract));
    partRoutes(app, { bus, signedIn });
    dayReportRoutes(app, { bus, signedIn });
    for (const [path, compose] of Object.entries({ "dead-letters": readDeadLetters, "self-audit": readSelfAudit }))
      app.get(`/api/${path}`, async (request, response) => {
        await signedIn(request, response);
        response.json(await compose(bus, context(response)));
      });
    for (const [path, contract] of Object.entries(OPERATOR_FINDS)) app.get(`/api/${path}`, read(contract, idOf));
    for (const [path, [row]] of byPath(READS)) {
      if (row) app.get(path, read(row.contract));
      app.all(path, onlyMethods("GET"));
    }
  };
}

/** With the text that was signed: `JSON.stringify` is the same in the browser, here and on the bus. */
const send = (bus: Bus, contract: RequestContract, { input, signature }: SignedAct): Promise<unknown> =>
  bus.request(contract, input, { signature });

/** From the query and the path; a list is separated by commas. */
function fieldsOf({ input }: RequestContract, { query, params }: Request): Record<string, unknown> {
  const given = Object.entries(pickFields(input, { ...query, ...params }));
  const fields = Object.fromEntries(
    given.map(([name, value]) => [name, input.shape[name] instanceof z.ZodArray ? String(value).split(",") : value]),
  );
  assertFields(input, fields, { inPath: params, isAddressable });
  return fields;
}

const idOf = ({ input }: RequestContract, { query }: Request): Record<string, unknown> =>
  parseFields(input, { by: query });
