import { useEffect } from "react";

/** Acts on single keys, wherever the focus is: not in a field or a menu, nor while a dialog is open, which have their own. */
export function useKeys(acts: Partial<Record<"j" | "k" | "Escape", (() => void) | undefined>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== "j" && key !== "k" && key !== "Escape") return;
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        hasOwnKeys(target) ||
        isDialogOpen()
      )
        return;
      const act = acts[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

const hasOwnKeys = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest("input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null;

/** Its focus is on nothing while its buttons are disabled. */
const isDialogOpen = () => document.querySelector("[aria-modal=true]") !== null;
