/** After this time without a key or a pointer nobody is assumed to be at the page. */
const ATTENDED_MS = 5 * 60_000;

let lastInput = Date.now();

/** Notes that the person does something. Called once, when the app starts. */
export function watchInput(): void {
  const note = () => {
    lastInput = Date.now();
  };
  for (const event of ["pointerdown", "pointermove", "keydown", "scroll", "touchstart"])
    addEventListener(event, note, { passive: true, capture: true });
}

/** A page that refetches by itself says so: its calls do not keep the session alive. */
export const attendance = (): Record<string, string> =>
  Date.now() - lastInput > ATTENDED_MS ? { "x-unattended": "true" } : {};
