import { useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router";
import { useListState, useRoomBeside } from "./record-place.ts";

/** A new page begins at its top, unless it `stays`. Where one is that is gone back to, the browser knows. */
export function useTopOfPage(stays = false): void {
  const { pathname } = useLocation();
  const isNew = useNavigationType() !== "POP";
  useLayoutEffect(() => {
    if (isNew && !stays) window.scrollTo(0, 0);
  }, [pathname, stays]);
}

/** Whether a list stays where it is: a record was opened beside it, or closed, and its row has the focus. */
export function useListStays(): boolean {
  const { beside = false, focus } = useListState();
  const hasRoom = useRoomBeside();
  return focus !== undefined || (beside && hasRoom);
}
