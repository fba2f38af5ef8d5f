import type { Outcome, SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { canSimulate } from "../domain/simulation.ts";

/** The result of a simulation: its outcome, or why it was refused. */
export type Simulated = { outcome: Outcome } | { refusal: string };

const CHOICES = [
  { outcome: "paid", label: "Paid" },
  { outcome: "underpaid", label: "Underpaid" },
  { outcome: "overpaid", label: "Overpaid" },
  { outcome: "expired", label: "Expired" },
] as const;

/**
 * For developers who try the checkout: a simulated transfer takes the same path as a real one. Live sessions have
 * neither this panel nor its endpoint.
 */
export function simulatePanel(session: SessionSnapshot, simulated?: Simulated): VNode | null {
  const { merchant, reference, status } = session;
  if (merchant.mode !== "test" || !canSimulate(session)) return null;
  const choices = status === "expired" ? CHOICES.filter(({ outcome }) => outcome === "paid") : CHOICES;
  return html`
    <section class="simulate" aria-labelledby="simulate">
      <h2 id="simulate">Simulate the transfer</h2>
      <p>Only in test mode: no bank is needed to see what happens.</p>
      ${simulated && html`<p class="attention">${resultText(simulated)}</p>`}
      <form method="post" action=${`/pay/${reference}/simulate`}>
        ${choices.map(
          ({ outcome, label }) => html`
            <button class="choice" id=${`simulate-${outcome}`} type="submit" name="outcome" value=${outcome}>
              ${label}
            </button>
          `,
        )}
      </form>
      ${status !== "expired" && html`<p class="hint">${SHARED}</p>`}
    </section>
  `;
}

const SHARED =
  "On an account that many payers share, only the exact amount is taken for this payment; any other is credited by itself.";

function resultText(simulated: Simulated): string {
  if ("refusal" in simulated) return simulated.refusal;
  if (simulated.outcome === "expired") return "Simulated: expired.";
  return `Simulated: ${simulated.outcome}. If this page still waits, what arrived was not taken for this payment.`;
}
