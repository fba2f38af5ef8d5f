import { Anchor, Card, Group, Skeleton, Table, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { Link } from "react-router";
import type { ReadResponse, RowOf } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { useArrived } from "../../components/arrived.ts";
import { Failure } from "../../components/failure.tsx";
import { Money } from "../../components/money.tsx";
import { ListedName } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";
import "../../components/lists.css";

/** The last five, each with a link to its record. */
export function NewestCollections({ page }: { page: UseQueryResult<ReadResponse<"collections">> }) {
  const { home } = useScope();
  const arrived = useArrived("newest", page.isPlaceholderData ? undefined : page.data?.data, keyOf);
  return (
    <Card withBorder component="section" aria-labelledby="newest">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="newest">
          Latest collections
        </Title>
        <Anchor component={Link} to={`${home}/collections`}>
          View all collections
        </Anchor>
      </Group>
      {page.error && <Failure error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <Skeleton height={160} />}
      {page.data && (
        <div className="list">
          <Table layout="fixed" aria-labelledby="newest">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col" ta="right" w={160}>
                  Amount
                </Table.Th>
                <Table.Th scope="col">Payer</Table.Th>
                <Table.Th scope="col">Customer</Table.Th>
                <Table.Th scope="col" w={140}>
                  Paid
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.data.data.map((each) => (
                <Row key={each.reference} of={each} isNew={arrived.has(each.reference)} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Card>
  );
}

const keyOf = ({ reference }: { reference: string }) => reference;

/** On a phone in two lines, as in the lists; their own rows, with what selects them, would take Home over its weight. */
function Row({ of: collection, isNew }: { of: RowOf<"collections">; isNew: boolean }) {
  const { home } = useScope();
  const { amount, payer, customer_name, customer_reference, paid_at, reference } = collection;
  return (
    <Table.Tr className={isNew ? "arrived" : undefined}>
      <Table.Td ta="right" {...placed("amount")}>
        <Link className="row-link" to={`${home}/collections/${encodeURIComponent(reference)}`}>
          <Money naira={amount} />
        </Link>
      </Table.Td>
      <Table.Td {...placed("name")}>
        <ListedName>{payer.name}</ListedName>
      </Table.Td>
      <Table.Td {...placed("status")}>
        <ListedName>{customer_name ?? customer_reference}</ListedName>
      </Table.Td>
      <Table.Td {...placed("time")}>
        <When at={paid_at} />
      </Table.Td>
    </Table.Tr>
  );
}

const placed = (narrow: string) => ({ "data-narrow": narrow, style: { "--narrow": narrow } as CSSProperties });
