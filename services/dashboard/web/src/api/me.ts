import { useQuery } from "@tanstack/react-query";
import { readPerson } from "./calls.ts";

/** The signed-in user; null if signed out. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: () => readPerson("me", { optional: true }),
    staleTime: 60_000,
  });
}

export type Me = NonNullable<Awaited<ReturnType<typeof readPerson<"me">>>>;
