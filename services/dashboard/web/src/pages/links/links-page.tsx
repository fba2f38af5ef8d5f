import { Button } from "@mantine/core";
import { useMay } from "../../api/scope.ts";
import { useDialog } from "../../components/dialog-address.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { type Column, ListPage } from "../../components/list-page.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName } from "../../components/record-link.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { CreateLink } from "./create-link.tsx";
import { type PaymentLink, usesOf } from "./link-uses.ts";

const COLUMNS: Column<PaymentLink>[] = [
  { header: "Title", cell: ({ title }) => <ListedName>{title}</ListedName>, narrow: "name" },
  {
    header: "Amount",
    cell: ({ amount }) => (amount === null ? "Set by payer" : <Money naira={amount} />),
    width: 140,
    align: "right",
    narrow: "amount",
  },
  { header: "Status", cell: ({ status }) => <Status status={status} />, width: 210, narrow: "status" },
  { header: "Uses", cell: (link) => usesOf(link), width: 90, align: "right" },
  { header: "Collected", cell: ({ collected }) => <Money naira={collected} />, width: 140, align: "right" },
  { header: "Created", cell: ({ created_at }) => <When at={created_at} />, width: 130, narrow: "time" },
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
