import { Anchor, Card, Group, Skeleton, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ReadResponse, RowOf } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { type Column, ListRows } from "../../components/list-rows.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";

const COLUMNS: Column<RowOf<"collections">>[] = [
  {
    header: "Amount",
    cell: ({ amount, reference }) => (
      <Link className="row-link" to={`collections/${encodeURIComponent(reference)}`}>
        <Money naira={amount} />
      </Link>
    ),
    width: 160,
    align: "right",
    narrow: "amount",
  },
  { header: "Payer", cell: ({ payer }) => <ListedName>{payer.name}</ListedName>, narrow: "name" },
  {
    header: "Customer",
    cell: ({ customer_name, customer_reference }) => <ListedName>{customer_name ?? customer_reference}</ListedName>,
    narrow: "status",
  },
  { header: "Paid", cell: ({ paid_at }) => <When at={paid_at} />, width: 140, narrow: "time" },
];

/** The last five, each with a link to its record. */
export function NewestCollections({ page }: { page: UseQueryResult<ReadResponse<"collections">> }) {
  const { home } = useScope();
  return (
    <Card withBorder component="section" aria-labelledby="newest">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="newest">
          Newest collections
        </Title>
        <Anchor component={Link} to={`${home}/collections`}>
          View all collections
        </Anchor>
      </Group>
      {page.error && <Failure error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <Skeleton height={160} />}
      {page.data && (
        <ListRows
          title="Newest collections"
          columns={COLUMNS}
          keyOf={({ reference }) => reference}
          rows={page.data.data}
          isOld={page.isPlaceholderData}
          place="newest"
        />
      )}
    </Card>
  );
}
