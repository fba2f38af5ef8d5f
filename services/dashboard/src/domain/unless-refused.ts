import { Problem } from "@collect/contracts";

/** The response, or null if the service refuses or is unavailable: the rest of the page is shown without it. */
export async function unlessRefused<Result>(answer: Promise<Result>): Promise<Result | null> {
  return answer.catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });
}

/** The response, or null if the service says that there is no such thing. */
export async function unlessNotFound<Result>(answer: Promise<Result>): Promise<Result | null> {
  return answer.catch((error) => {
    if (error instanceof Problem && error.code === "not_found") return null;
    throw error;
  });
}
