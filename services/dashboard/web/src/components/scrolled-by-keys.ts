/** Rows without a link cannot be focused; then the list itself can, so that it scrolls by keyboard. */
export const SCROLLED_BY_KEYS = { viewportProps: { tabIndex: 0 } };
