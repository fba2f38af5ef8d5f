import { answer, type Request } from "@collect/bus";
import { issueCollectionAccount } from "@collect/contracts";
import { collectionAccountOf } from "../use-cases/collection-account.ts";
import type { IssuingDeps } from "../use-cases/issue-account.ts";

export function collectionAccountRequests(deps: IssuingDeps): Request[] {
  return [answer(issueCollectionAccount, ({ merchant, position }) => collectionAccountOf(deps, merchant, position))];
}
