import { follow, STAGES } from "./stage.ts";

await follow("payments", STAGES.ledger);
