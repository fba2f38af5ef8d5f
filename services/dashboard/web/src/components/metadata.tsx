import type { ReactNode } from "react";
import { Name, Reference } from "./record-link.tsx";

/** A record's metadata as the merchant's server sent it, a line each; null if there is none. */
export function metadataOf(metadata: Record<string, string>): ReactNode {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return entries.map(([key, value]) => (
    <div key={key}>
      <Reference>{key}</Reference>: <Name>{value}</Name>
    </div>
  ));
}
