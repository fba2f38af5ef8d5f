import { Badge } from "@mantine/core";
import type { Read } from "./api.ts";

type Standing = Read<"merchants">["data"][number]["standing"];

export const STANDINGS: Record<Standing, { word: string; color: string }> = {
  draft: { word: "Not submitted", color: "gray" },
  submitted: { word: "In review", color: "blue" },
  returned: { word: "Returned", color: "orange" },
  verified: { word: "Verified", color: "green" },
  suspended: { word: "Suspended", color: "red" },
};

/** It is read whole or not at all. */
export function StandingBadge({ standing }: { standing: Standing }) {
  const { word, color } = STANDINGS[standing];
  return (
    <Badge color={color} miw="max-content" style={{ flexShrink: 0 }}>
      {word}
    </Badge>
  );
}
