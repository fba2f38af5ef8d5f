import type { Endpoint } from "./domain/endpoint.ts";
import { CHECKOUT } from "./endpoints/checkout.ts";
import { READING } from "./endpoints/reading.ts";
import { SANDBOX } from "./endpoints/sandbox.ts";
import { SPECIFIED } from "./endpoints/specification.ts";

/** The table of the merchant API, in the order in which the index lists it. */
export const ENDPOINTS: readonly Endpoint[] = [...SPECIFIED, ...READING, ...SANDBOX, ...CHECKOUT];
