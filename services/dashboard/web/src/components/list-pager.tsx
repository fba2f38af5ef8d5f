import { Button, Group } from "@mantine/core";
import { useLocation, useNavigate, useSearchParams } from "react-router";

/**
 * Older pages follow the list's cursor. A cursor only goes forward, so the cursors of the pages before are kept with the URL,
 * in the history state, which opening and closing a record preserve.
 */
export function ListPager({ next, isOld }: { next: string | null; isOld: boolean }) {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const after = params.get("after");
  const trail = trailOf(state);
  const go = (cursor: string, before: string[]) => {
    // While rows are being replaced, their cursor belongs to another page.
    if (isOld) return;
    const search = new URLSearchParams(params);
    if (cursor) search.set("after", cursor);
    else search.delete("after");
    navigate({ search: search.toString() }, { state: { trail: before } });
    window.scrollTo(0, 0);
  };
  if (!after && !next) return null;
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={!after} onClick={() => go("", [])}>
        Newest
      </Button>
      <Button
        variant="default"
        disabled={!after || trail.length === 0}
        onClick={() => go(trail.at(-1) ?? "", trail.slice(0, -1))}
      >
        Newer
      </Button>
      <Button variant="default" disabled={!next} onClick={() => next && go(next, [...trail, after ?? ""])}>
        Older
      </Button>
    </Group>
  );
}

/** The cursors of the previous pages; the first page's is empty. None if the URL was opened directly. */
function trailOf(state: unknown): string[] {
  if (typeof state !== "object" || state === null || !("trail" in state) || !Array.isArray(state.trail)) return [];
  return state.trail.filter((cursor) => typeof cursor === "string");
}
