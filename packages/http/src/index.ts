export { createHttpApp, type HttpApp } from "./app.ts";
export { type BodyLimits, readBody } from "./body.ts";
export { fromForm } from "./form.ts";
export { renderProblem, requestIdOf } from "./problem.ts";
export { httpServer } from "./server.ts";
