import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { showPage } from "../../test/page.tsx";
import { MERCHANT, useServer } from "../../test/server.ts";
import { queryClient } from "../api/query-client.ts";
import { ListTotals } from "./list-totals.tsx";

const server = useServer();
const counts = (count: number) =>
  server.answers("GET", `m/${MERCHANT}/test/collections/totals`, () => ({
    totals: { count, amount: 1, fee: 0, net: 1 },
  }));

function Totals() {
  const [search, setSearch] = useState("");
  return (
    <>
      <button type="button" onClick={() => setSearch(`${search}x`)}>
        Filter
      </button>
      <ListTotals path="collections/totals" filters={{ search }} noun={["collection", "collections"]}>
        {() => "in all"}
      </ListTotals>
    </>
  );
}

test("totals are read aloud once the filters change, and not with each payment that arrives", async () => {
  const live = () => screen.getByRole("status").getAttribute("aria-live");
  counts(5);
  const { user } = showPage(<Totals />);
  await screen.findByText("5 collections: in all");
  expect(live()).toBe("off");
  counts(6);
  await queryClient.invalidateQueries();
  await screen.findByText("6 collections: in all");
  expect(live()).toBe("off");
  counts(2);
  await user.click(screen.getByText("Filter"));
  await screen.findByText("2 collections: in all");
  expect(live()).toBe("polite");
  counts(3);
  await queryClient.invalidateQueries();
  await screen.findByText("3 collections: in all");
  await waitFor(() => expect(live()).toBe("off"));
});
