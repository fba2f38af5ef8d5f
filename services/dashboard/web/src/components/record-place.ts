import { useMediaQuery } from "@mantine/hooks";
import { useLocation } from "react-router";

/** Where a record is shown: beside the list that it was opened from, if there is room, or else as a page of its own. */
export type RecordPlace = {
  isBeside: boolean;
  /** To the record of the row above and below; undefined at the ends, and without the list. */
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
};

/** What the history keeps of a list: the pages before, whether a record is beside it, and the row that gets the focus back. */
type ListState = { trail?: unknown; beside?: boolean | undefined; focus?: string | undefined };

export function useListState(): ListState {
  const { state } = useLocation();
  return typeof state === "object" && state !== null ? state : {};
}

/** Whether the screen has room for both. */
export const useRoomBeside = (): boolean =>
  useMediaQuery("(min-width: 80em)", false, { getInitialValueInEffect: false });
