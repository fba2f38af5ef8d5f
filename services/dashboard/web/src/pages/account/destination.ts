import { useSearchParams } from "react-router";

/**
 * The page after signing in. Only a path of this app is followed: it begins with a single "/", both as
 * written and as a browser normalizes it, so that a link to the sign-in page is no open redirect.
 */
export function useDestination(): string {
  const [params] = useSearchParams();
  return pathWithin(params.get("to"), location.origin) ?? "/";
}

export function pathWithin(to: string | null, origin: string): string | null {
  if (!to || !URL.canParse(to, origin)) return null;
  const { origin: its, pathname, search, hash } = new URL(to, origin);
  const isOurs = its === origin && isPath(to) && isPath(pathname);
  return isOurs ? `${pathname}${search}${hash}` : null;
}

const isPath = (written: string) => /^\/(?![/\\])/.test(written);

/** The sign-in URL that returns to the given page. */
export const withDestination = (page: "/sign-in" | "/sign-up", to: string) =>
  to === "/" ? page : `${page}?to=${encodeURIComponent(to)}`;
