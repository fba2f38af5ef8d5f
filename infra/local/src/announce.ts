import type { Demo } from "./files.ts";
import type { Stack } from "./running.ts";

/** What npm start prints once everything is up. */
export function announce(demo: Demo, at: { stack: Stack; logs: string; demoFile: string }): void {
  const { base_url, checkout_url, dashboard_url, keys, bank, webhook, merchant, user } = demo;
  const authorization = `-H 'Authorization: Bearer ${keys.sk_test}'`;
  console.log(`
The stack is up. Ctrl-C stops it; npm run reset, once stopped, clears its data.

  merchant API        ${base_url}
  its reference       ${new URL("/docs", base_url)}
  checkout            ${checkout_url}
  dashboard           ${dashboard_url}
  bank door           ${bank.url}
  bank simulator      ${at.stack.bank_simulator_url}
  webhooks received   ${at.stack.receiver_url}/received?mode=test
  logs                ${at.logs}/

Open this to be signed in as the owner of the demo business (once; or ${user.email} with the password in the file below)

  ${user.sign_in_url}

${merchant.name} (${merchant.id}); everything below is in ${at.demoFile} too

  sk_test             ${keys.sk_test}
  pk_test             ${keys.pk_test}
  sk_live             ${keys.sk_live}
  pk_live             ${keys.pk_live}
  webhook secrets     test ${webhook.test.secret}
                      live ${webhook.live.secret}

Try it: open an account, let money arrive in it, read the balance; open a session and visit its checkout_url

curl -s ${base_url}/customer_accounts ${authorization} -d customer_reference=cust_1 -d customer_name='Ada Obi'
curl -s ${base_url}/customer_accounts/cust_1/simulate_payment ${authorization} -d outcome=paid -d amount=2500
curl -s ${base_url}/balance ${authorization}
curl -s ${base_url}/payments ${authorization} -d amount=5000 -d reference=order-1

Or see the whole path, in both modes, step by step: npm run demo
`);
}
