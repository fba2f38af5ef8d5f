import type { Bus } from "@collect/bus";
import {
  type Erasure,
  eraseCollections,
  eraseEvents,
  eraseLedgerDeadLetters,
  eraseSessions,
  findPersonTransfers,
  type Person,
} from "@collect/contracts";

/** What the other services know about a person, and their part of an erasure. */

/** The transfers of a person, a page at a time, including those that the erasure has erased. */
export async function* transfersOf(bus: Bus, person: Person, erasureId: string): AsyncGenerator<string[]> {
  for (let after: string | null = ""; after !== null; ) {
    const page: { intake_ids: string[]; next: string | null } = await bus.request(findPersonTransfers, {
      ...{ merchant: person.merchant, kind: person.kind, reference: person.reference },
      ...{ erasure_id: erasureId, after },
    });
    yield page.intake_ids;
    after = page.next;
  }
}

/**
 * Erases the person from everything that came of these transfers, in the order of the path: a repeat of an earlier stage cannot
 * bring back what a later one has erased. Returns the hashes of the events.
 */
export async function eraseTransfers(
  bus: Bus,
  erasure: Erasure,
  intakeIds: string[],
): Promise<{ intake_id: string; body_hash: string }[]> {
  await bus.request(eraseLedgerDeadLetters, { intake_ids: intakeIds });
  await bus.request(eraseCollections, { erasure, kind: erasure.kind, intake_ids: intakeIds });
  const { events } = await bus.request(eraseEvents, { kind: erasure.kind, intake_ids: intakeIds });
  return events;
}

/** The person's own sessions, whether or not anything was paid. */
export async function eraseSessionsOf(bus: Bus, erasure: Erasure): Promise<void> {
  for (let after: string | null = ""; after !== null; ) {
    const page: { next: string | null } = await bus.request(eraseSessions, { erasure, after });
    after = page.next;
  }
}
