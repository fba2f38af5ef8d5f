import { z } from "zod";
import { Mode } from "../fields.ts";
import { Timestamp } from "./lists.ts";

/** The fields of every webhook beside its data. */
export function envelope<Kind extends string>(kind: Kind) {
  return {
    event: z.literal(kind).meta({ description: "The kind of event, as in `X-Service-Event`." }),
    mode: Mode,
    created_at: Timestamp.meta({
      description: "When the event was recorded; the same in every attempt to deliver it.",
    }),
  };
}
