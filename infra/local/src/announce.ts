import type { Demo } from "./files.ts";
import type { Stack } from "./running.ts";
import { simulatedBank } from "./simulated-bank.ts";

/** Prints what npm start shows once the stack is up. */
export function announce(demo: Demo, at: { stack: Stack; logs: string; demoFile: string }): void {
  const { base_url, checkout_url, dashboard_url, keys, bank, webhook, merchant, user } = demo;
  const authorization = `-H 'Authorization: Bearer ${keys.sk_test}'`;
  const live = `-H 'Authorization: Bearer ${keys.sk_live}'`;
  const partner = simulatedBank(at.stack);
  const identity = partner.identity.bvn ? ` -d bvn=${partner.identity.bvn}` : "";
  console.log(`
The stack is up. Press Ctrl-C to stop it. Then npm run reset deletes its data.

  merchant API        ${base_url}
  documentation       ${new URL("/docs", base_url)}
  checkout            ${checkout_url}
  dashboard           ${dashboard_url}
  operators           ${at.stack.operators_url}
  bank door           ${bank.url}
  bank simulator      ${at.stack.bank_simulator_url}
  webhooks received   ${at.stack.receiver_url}/received?mode=test
  mails               ${at.stack.mailbox_url}
  logs                ${at.logs}/

Sign in as the owner of the demo business with this single-use link (or as ${user.email} with the password in the file below)

  ${user.sign_in_url}

To become an operator, open the operators' pages and run the command that they show: it adds your browser's key.

${merchant.name} (${merchant.id}); these keys and secrets are also in ${at.demoFile}

  sk_test             ${keys.sk_test}
  pk_test             ${keys.pk_test}
  sk_live             ${keys.sk_live}
  pk_live             ${keys.pk_live}
  webhook secrets     test ${webhook.test.secret}
                      live ${webhook.live.secret}

Try it: issue an account, simulate a payment, read the balance; create a session and open its checkout_url

curl -s ${base_url}/customer_accounts ${authorization} -d customer_reference=cust_1 -d customer_name='Ada Obi'
curl -s ${base_url}/customer_accounts/cust_1/simulate_payment ${authorization} -d outcome=paid -d amount=2500
curl -s ${base_url}/balance ${authorization}
curl -s ${base_url}/payments ${authorization} -d amount=5000 -d reference=order-1

Live, the partner bank is ${partner.name}, simulated (BANK=local, providus or monnify): issue an account, and let money arrive at its number

curl -s ${base_url}/customer_accounts ${live} -d customer_reference=cust_1 -d customer_name='Ada Obi'${identity}
curl -s ${partner.control}/transfers -H 'Content-Type: application/json' -d '{"account_number":"…","amount":2500}'

Or let the events come to a server of your own: npm run -s collect -- listen --key ${keys.sk_test} --forward-to http://localhost:3000/
Or run the main flows in both modes step by step: npm run demo
`);
}
