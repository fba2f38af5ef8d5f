import type { ProblemDocument } from "@collect/contracts";

/** A problem returned by the server: a stable code for the program, a detail for the user, and the field errors. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: ProblemDocument["code"] | "unreachable";
  readonly errors: NonNullable<ProblemDocument["errors"]>;
  readonly requestId: string | undefined;
  constructor(
    problem: Pick<ApiProblem, "status" | "code"> & {
      detail: string;
      errors?: ApiProblem["errors"];
      requestId?: string;
    },
  ) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
  }
}

/** The first error of each field, by name: what is wrong with it, without a subject ("must be at most 60 characters"). */
export function errorsByField(problem: unknown): Record<string, string> {
  if (!(problem instanceof ApiProblem)) return {};
  return Object.fromEntries(problem.errors.toReversed().map(({ param, message }) => [param, message]));
}

/** The same as sentences, for a form to show beside its fields. */
export const fieldErrors = (problem: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(errorsByField(problem)).map(([name, message]) => [name, sentence(message)]));

const sentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, "")}.`;

/** The message shown to the user for an error. */
export function messageOf(problem: unknown): string {
  return problem instanceof Error
    ? problem.message
    : "Something went wrong on this page. Reload it to see where things stand.";
}
