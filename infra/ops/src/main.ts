import { Command } from "commander";
import { accountCommand } from "./commands/accounts.ts";
import { auditCommand } from "./commands/audit.ts";
import { auditLogCommand } from "./commands/audit-log.ts";
import { dayCommand } from "./commands/days.ts";
import { booksCommand } from "./commands/books.ts";
import { deadLettersCommand } from "./commands/dead-letters.ts";
import { eraseCommand } from "./commands/erase.ts";
import { keysCommand } from "./commands/keys.ts";
import { merchantCommand } from "./commands/merchants.ts";
import { approveCommand, operatorCommand, proposalsCommand } from "./commands/operators.ts";
import { partnerCommand } from "./commands/partner.ts";
import { payoutsCommand } from "./commands/payouts.ts";
import { recoveryCommand } from "./commands/recovery.ts";
import { secretsCommand } from "./commands/secrets.ts";
import { settlementCommand } from "./commands/settlements.ts";
import { statementsCommand } from "./commands/statements.ts";
import { exceptionsCommand, redriveCommand, transferCommand } from "./commands/transfers.ts";
import { userCommand } from "./commands/users.ts";
import { webhookCommand } from "./commands/webhooks.ts";
import { printFailure } from "./print.ts";

/** The operator's command line. Each command sends one or two requests over the bus. */
const program = new Command("ops").description("operate the collection service over its message bus");
for (const command of [
  merchantCommand(),
  webhookCommand(),
  keysCommand(),
  accountCommand(),
  settlementCommand(),
  transferCommand(),
  payoutsCommand(),
  partnerCommand(),
  redriveCommand(),
  exceptionsCommand(),
  statementsCommand(),
  dayCommand(),
  booksCommand(),
  auditCommand(),
  recoveryCommand(),
  secretsCommand(),
  deadLettersCommand(),
  eraseCommand(),
  userCommand(),
  operatorCommand(),
  proposalsCommand(),
  approveCommand(),
  auditLogCommand(),
])
  program.addCommand(command);
await program.parseAsync().catch(printFailure);
