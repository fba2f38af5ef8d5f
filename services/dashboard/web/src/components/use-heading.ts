import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/**
 * A section's heading, with `tabIndex={-1}`, and what gives it the focus when what was acted on is about to leave. The page's
 * content takes it if the section leaves with its last.
 */
export function useHeading(): [heading: RefObject<HTMLHeadingElement | null>, focusHeading: () => void] {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const { current } = heading;
    return () => {
      if (current && document.activeElement === current) current.closest("main")?.focus();
    };
  }, []);
  return [heading, useCallback(() => heading.current?.focus(), [])];
}
