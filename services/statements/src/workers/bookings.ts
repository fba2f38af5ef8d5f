import type { Bus } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { bookTotals } from "../use-cases/book-totals.ts";

type Deps = { pool: Pool; bus: Bus; log: Logger; everyMs: number };

/**
 * Book what closed days establish: the charges, and our own funds, each for itself. Until the ledger takes them, as one that catches up or is of the
 * release before does not, they wait.
 */
export const createBookings = ({ pool, bus, log, everyMs }: Deps): Component[] =>
  (["charges", "own_funds"] as const).map((of) =>
    interval({ name: of, everyMs, log }, () => bookTotals({ pool, bus }, of)),
  );
