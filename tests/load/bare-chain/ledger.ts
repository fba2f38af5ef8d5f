import { follow, STAGES } from "./stage.ts";

await follow("ledger", STAGES.accounts);
