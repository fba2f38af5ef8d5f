import { Problem } from "@collect/contracts";
import type { RequestHandler } from "express";

/** Use after the routes of a path: any other method gets 405 with the allowed ones. */
export function onlyMethods(...methods: string[]): RequestHandler {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return (_request, response) => {
    response.setHeader("Allow", allowed.join(", "));
    throw new Problem("method_not_allowed", `This URL accepts only ${allowed.join(" and ")}.`);
  };
}

/** Rows of a table by path, a static path before one with a parameter: `/payments/crypto` is never a session. */
export function byPath<Row extends { path: string }>(rows: readonly Row[]): [string, Row[]][] {
  const parameters = (path: string) => path.split(":").length;
  return [...Map.groupBy(rows, ({ path }) => path)].sort(([one], [other]) => parameters(one) - parameters(other));
}

/**
 * `%zz` in a path is a reference with a percent sign, which does not exist. Express would not even look for its route.
 */
export const escapeUndecodablePath: RequestHandler = (request, _response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch {
    const [path = "", ...query] = request.url.split("?");
    request.url = [path.replaceAll("%", "%25"), ...query].join("?");
  }
  next();
};
