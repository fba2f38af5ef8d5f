import { answer, type Request } from "@collect/bus";
import { eraseAgain, eraseCustomer, erasePayer, listErasures, type Person, surveyPerson } from "@collect/contracts";
import { assertNothingInProgress, erasureId } from "../domain/erasure.ts";
import { listErasures as list, orderErasures, repeatErasures } from "../store/erasures.ts";
import { type Surveying, surveyPerson as survey } from "../use-cases/survey-person.ts";

/** Orders of operators to erase a person's data. They are committed here; a worker carries them out. */
export function erasureRequests(deps: Surveying): Request[] {
  const { pool } = deps;
  async function order(person: Person) {
    const found = await survey(deps, person);
    assertNothingInProgress(found);
    const id = erasureId(person);
    await orderErasures(pool, [{ ...person, id }]);
    return { id, found };
  }
  return [
    answer(eraseCustomer, ({ merchant, customer_reference }) =>
      order({ merchant, kind: "customer", reference: customer_reference }),
    ),
    answer(erasePayer, ({ merchant, reference }) => order({ merchant, kind: "payer", reference })),
    answer(surveyPerson, (person) => survey(deps, person)),
    answer(listErasures, async ({ id }) => ({ erasures: await list(pool, id) })),
    answer(eraseAgain, async ({ since }) => ({ repeated: await repeatErasures(pool, since) })),
  ];
}
