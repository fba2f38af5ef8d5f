import type { Fault } from "./schedule.ts";

/** The faults and the stack's own events, in milliseconds since the start of the traffic. */
export type Entry = { atMs: number; text: string };
export type Timeline = {
  entries: Entry[];
  /** Sets the start of the traffic. */
  begin(): void;
  note(text: string): void;
  /** Milliseconds since the start. */
  now(): number;
};

export function createTimeline(say: (line: string) => void): Timeline {
  let start = performance.now();
  const entries: Entry[] = [];
  const now = () => Math.round(performance.now() - start);
  return {
    entries,
    now,
    begin() {
      start = performance.now();
    },
    note(text) {
      const entry = { atMs: now(), text };
      entries.push(entry);
      say(lineOf(entry));
    },
  };
}

export const lineOf = ({ atMs, text }: Entry) => `${(atMs / 1_000).toFixed(1).padStart(7)} s  ${text}`;

export const nameOf = ({ kind, target, variant }: Pick<Fault, "kind" | "target" | "variant">) =>
  [kind, target, variant].filter(Boolean).join(" ");
