import { Button } from "@mantine/core";
import { useMay } from "../../api/scope.ts";
import { useDialog } from "../../components/dialog-address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { ListTotals } from "../../components/list-totals.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName, Reference } from "../../components/record-link.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { CreateLink } from "./create-link.tsx";
import { type PaymentLink, usesOf } from "./link-uses.ts";
import { TurnOffLinks } from "./turn-off-links.tsx";

const COLUMNS: Column<PaymentLink>[] = [
  { header: "Title", cell: ({ title }) => <ListedName>{title}</ListedName>, narrow: "name" },
  {
    header: "Amount",
    cell: ({ amount }) => (amount === null ? "Set by payer" : <Money naira={amount} />),
    width: 150,
    align: "right",
    narrow: "amount",
  },
  { header: "Status", cell: ({ status }) => <Status status={status} />, width: 210, narrow: "status" },
  { header: "Uses", cell: (link) => usesOf(link), width: 90, align: "right" },
  { header: "Collected", cell: ({ collected }) => <Money naira={collected} />, width: 150, align: "right" },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, width: 130, narrow: "time" },
  { header: "Expires", cell: ({ expires_at }) => <When at={expires_at} />, width: 130, isExtra: true },
  { header: "Slug", cell: ({ slug }) => <Reference>{slug}</Reference>, isExtra: true },
];

/** Reusable payment links. */
export function LinksPage() {
  const mayCreate = useMay("collect");
  const [isCreating, { open, close }] = useDialog("create");
  const button = mayCreate && <Button onClick={open}>Create link</Button>;
  return (
    <>
      <ListPage
        title="Links"
        lead="Share one URL. Everyone who opens it gets their own payment session."
        path="links"
        columns={COLUMNS}
        keyOf={({ slug }) => slug}
        linkOf={({ slug }) => slug}
        filters={[
          { kind: "search", label: "Search", placeholder: "Title or amount" },
          { kind: "amount", label: "Amount" },
          { kind: "span", label: "Created" },
        ]}
        totals={(filters) => (
          <ListTotals path="links/totals" filters={filters} noun={["link", "links"]}>
            {({ collected }) => (
              <>
                collected{" "}
                <strong>
                  <Money naira={collected} />
                </strong>
              </>
            )}
          </ListTotals>
        )}
        select={{ acts: mayCreate && ((links) => <TurnOffLinks links={links} />) }}
        actions={button}
        empty={
          <EmptyState title="No links yet" action={button}>
            Accept payments for invoices, tickets or donations. Share the link in a message or behind a button. No
            server needed.
          </EmptyState>
        }
      />
      <CreateLink opened={isCreating} onClose={close} />
    </>
  );
}
