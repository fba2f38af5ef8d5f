import { z } from "zod";
import { Instant } from "../fields.ts";

/** How a service that was restored reads the lists of its peers. */

/** Where a page ends: the time that orders the rows, and the key of the last one. */
const Place = z.object({ at: Instant, key: z.string() });
export const walk = { since: Instant, after: Place.nullable() };
export const pageOf = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), next: Place.nullable() });
