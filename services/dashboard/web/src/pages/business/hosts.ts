/** The hosts in a text of one a line; a pasted address counts as its host. */
export function hostsIn(text: string): string[] {
  const lines = text.split(/[\s,]+/).filter(Boolean);
  return [...new Set(lines.map((line) => line.replace(/^https:\/\//i, "").replace(/\/.*$/, "")))];
}
