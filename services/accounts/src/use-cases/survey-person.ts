import type { Bus } from "@collect/bus";
import { findPersonSessions, notFound, type Person, Problem, type Survey, surveyEvents } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { transfersOf } from "../adapters/persons.ts";
import { erasureId } from "../domain/erasure.ts";
import type { Partners } from "../domain/partners.ts";
import { findAccount } from "../store/customer-accounts.ts";
import { unfinishedOf } from "../store/erasures.ts";

export type Surveying = { pool: Pool; bus: Bus; partners: Pick<Partners, "own"> };

/** What there is about a person in every service, and what is in progress. */
export async function surveyPerson({ pool, bus, partners }: Surveying, person: Person): Promise<Survey> {
  const isCustomer = person.kind === "customer";
  if (isCustomer) await assertRetired(pool, person);
  const { is_known, sessions, open_sessions } = await bus.request(findPersonSessions, person);
  if (!isCustomer && !is_known) throw notFound();
  const found: Survey = {
    ...{ accounts: isCustomer ? 1 : 0, transfers: 0, sessions, events: 0, responses: 0 },
    ...{ open_sessions, pending_deliveries: 0 },
    unfinished_transfers: isCustomer ? await unfinishedOf(pool, person, partners.own) : 0,
  };
  for await (const intake_ids of transfersOf(bus, person, erasureId(person))) {
    const { events, pending, responses } = await bus.request(surveyEvents, { intake_ids });
    found.transfers += intake_ids.length;
    found.events += events;
    found.pending_deliveries += pending;
    found.responses += responses;
  }
  return found;
}

/** While the account is active, the merchant goes on asking this customer for money under their name. */
async function assertRetired(pool: Pool, { merchant, reference }: Person): Promise<void> {
  const account = await findAccount(pool, merchant, reference);
  if (!account) throw notFound();
  if (account.status !== "retired")
    throw new Problem(
      "account_active",
      "Retire the customer's account first: ops -- account retire. Nothing was erased.",
    );
}
