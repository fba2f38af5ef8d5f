import { screen } from "@testing-library/react";
import { Link, useNavigate } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showAt } from "../../test/page.tsx";
import { ListPager } from "./list-pager.tsx";
import { useListStays, useTopOfPage } from "./top-of-page.ts";

const [narrow, scrollTo] = [window.matchMedia, vi.fn()];
const before = window.scrollTo;
const screenOf = ({ hasRoom }: { hasRoom: boolean }) =>
  Object.assign(window, { matchMedia: (media: string) => ({ ...narrow(media), matches: hasRoom }) });

beforeEach(() => {
  scrollTo.mockClear();
  Object.assign(window, { scrollTo });
});
afterEach(() => {
  Object.assign(window, { scrollTo: before, matchMedia: narrow });
});

function Pages() {
  const navigate = useNavigate();
  useTopOfPage(useListStays());
  return (
    <>
      <Link to="/inbox">Inbox</Link>
      <Link to="/inbox?state=done">Done</Link>
      <Link to="/collections/col_1" state={{ beside: true }}>
        Record
      </Link>
      <Link to="/collections/col_1">Open as a page</Link>
      <Link to="/collections" state={{ focus: "col_1" }}>
        Close
      </Link>
      <Link to="/collections/col_2" state={{ beside: true }} replace>
        Next
      </Link>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <ListPager next="more" isOld={false} />
    </>
  );
}

async function press(...names: string[]): Promise<number[]> {
  const { user } = showAt("/collections", <Pages />);
  expect(scrollTo).not.toHaveBeenCalled();
  const counts: number[] = [];
  for (const name of names) {
    await user.click(screen.getByText(name));
    counts.push(scrollTo.mock.calls.length);
  }
  expect(scrollTo.mock.calls.every(([x, y]) => x === 0 && y === 0)).toBe(true);
  return counts;
}

test("a new page begins at its top; one that is gone back to, or of which only the filter changes, is not moved", async () => {
  expect(await press("Inbox", "Done", "Back", "Back")).toEqual([1, 1, 1, 1]);
});

test("a list stays where it is while records are opened and closed beside it; one opened as a page begins at its top", async () => {
  screenOf({ hasRoom: true });
  expect(await press("Record", "Next", "Close", "Record", "Open as a page")).toEqual([0, 0, 0, 0, 1]);
});

test("without room beside its list a record begins at its top, and closing it leads to its row", async () => {
  screenOf({ hasRoom: false });
  expect(await press("Record", "Close")).toEqual([1, 1]);
});

test("another page of a list begins at its top", async () => {
  expect(await press("Older", "Newer")).toEqual([1, 2]);
});
