import { Anchor, Card, Group, Skeleton, Table, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useScope } from "../../api/scope.ts";
import { useArrived } from "../../components/arrived.ts";
import { Failure } from "../../components/failure.tsx";
import { Money } from "../../components/money.tsx";
import { When } from "../../components/when.tsx";

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
        <Table.ScrollContainer minWidth={520} className="rows">
          <Table aria-labelledby="newest">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">When</Table.Th>
                <Table.Th scope="col" ta="right">
                  Amount
                </Table.Th>
                <Table.Th scope="col">Customer</Table.Th>
                <Table.Th scope="col">Payer</Table.Th>
                <Table.Th scope="col">Reference</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.data.data.map((collection) => (
                <Table.Tr
                  key={collection.reference}
                  className={arrived.has(collection.reference) ? "arrived" : undefined}
                >
                  <Table.Td>
                    <When at={collection.paid_at} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money naira={collection.amount} />
                  </Table.Td>
                  <Table.Td>
                    <bdi>{collection.customer_name ?? collection.customer_reference ?? "–"}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <bdi>{collection.payer.name}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <Anchor
                      component={Link}
                      className="mono"
                      to={`${home}/collections/${encodeURIComponent(collection.reference)}`}
                    >
                      {collection.reference}
                    </Anchor>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  );
}

const keyOf = ({ reference }: { reference: string }) => reference;
