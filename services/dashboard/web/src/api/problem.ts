import type { ProblemDocument } from "@collect/contracts";

/** A refusal of the server's: a stable code for the program, a detail for the person, and what is wrong with each field. */
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

/** The first thing that is wrong with each field, by its name, as forms show it. */
export function errorsByField(problem: unknown): Record<string, string> {
  if (!(problem instanceof ApiProblem)) return {};
  return Object.fromEntries(problem.errors.toReversed().map(({ param, message }) => [param, message]));
}

/** What a person is told about a failure. */
export function wordsOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : "Something went wrong.";
}
