import type { Outcome, SessionSnapshot } from "@collect/contracts";
import { html } from "htm/preact";
import type { VNode } from "preact";
import { canSimulate } from "../domain/simulation.ts";
import { SIMULATE } from "./texts.ts";

/** The result of a simulation: its outcome, or why it was refused. */
export type Simulated = { outcome: Outcome } | { refusal: string };

const CHOICES = ["paid", "underpaid", "overpaid", "expired"] as const;

/**
 * For developers who try the checkout: a simulated transfer takes the same path as a real one. Live sessions have
 * neither this panel nor its endpoint.
 */
export function simulatePanel(session: SessionSnapshot, simulated?: Simulated): VNode | null {
  const { merchant, reference, status } = session;
  if (merchant.mode !== "test" || !canSimulate(session)) return null;
  const choices = status === "expired" ? CHOICES.slice(0, 1) : CHOICES;
  return html`
    <section class="simulate" aria-labelledby="simulate">
      <h2 id="simulate">${SIMULATE.heading}</h2>
      <p>${SIMULATE.why}</p>
      ${simulated && html`<p class="attention">${resultText(simulated)}</p>`}
      <form method="post" action=${`/pay/${reference}/simulate`}>
        ${choices.map(
          (outcome) => html`
            <button class="choice" id=${`simulate-${outcome}`} type="submit" name="outcome" value=${outcome}>
              ${SIMULATE.outcomes[outcome]}
            </button>
          `,
        )}
      </form>
      ${status !== "expired" && html`<p class="hint">${SIMULATE.shared}</p>`}
    </section>
  `;
}

function resultText(simulated: Simulated): string {
  if ("refusal" in simulated) return simulated.refusal;
  if (simulated.outcome === "expired") return SIMULATE.expired;
  return SIMULATE.result(simulated.outcome);
}
