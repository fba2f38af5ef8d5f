import { Problem } from "@collect/contracts";

/** The answer, or null where the service refuses or is away: the rest of a page is shown without it. */
export async function unlessRefused<Result>(answer: Promise<Result>): Promise<Result | null> {
  return answer.catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });
}
