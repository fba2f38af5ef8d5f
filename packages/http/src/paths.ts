import { Problem } from "@collect/contracts";
import type { RequestHandler } from "express";

/** Behind the routes of a path: every other method gets 405 and is told which ones there are. */
export function onlyMethods(...methods: string[]): RequestHandler {
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return (_request, response) => {
    response.setHeader("Allow", allowed.join(", "));
    throw new Problem("method_not_allowed", `This address takes ${allowed.join(" and ")} only.`);
  };
}

/** `%zz` in a path is a reference with a percent sign, and so one that is not there; Express would not even look for its route. */
export const escapeWhatCannotBeDecoded: RequestHandler = (request, _response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch {
    const [path = "", ...query] = request.url.split("?");
    request.url = [path.replaceAll("%", "%25"), ...query].join("?");
  }
  next();
};
