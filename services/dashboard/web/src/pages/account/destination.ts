import { useSearchParams } from "react-router";

/**
 * Where a person goes once they are signed in. Only a path of this app is followed: it begins with a single "/", as it is
 * written and as a browser would read it, so that a link to the sign-in page cannot lead to another site.
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

/** The address of a page before which one signs in, and after which one comes back. */
export const withDestination = (page: "/sign-in" | "/sign-up", to: string) =>
  to === "/" ? page : `${page}?to=${encodeURIComponent(to)}`;
