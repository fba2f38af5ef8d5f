import { Anchor, Card, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { RowOf } from "../../../api/calls.ts";
import { useRead } from "../../../api/hooks.ts";
import { useMay, useScope } from "../../../api/scope.ts";
import { Command } from "../../../components/copy.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Money } from "../../../components/money.tsx";
import { Page } from "../../../components/page.tsx";
import { StandingNotices } from "../../../components/standing-notices.tsx";
import { When } from "../../../components/when.tsx";
import { isMoving, progressWords } from "./batch-words.ts";
import { UploadFile } from "./upload-file.tsx";

/** Many transfers from one file: the upload, and the files so far. */
export function BulkPage() {
  const maySend = useMay("money");
  const batches = useRead("transfer-batches", { limit: 50 }, { isMoving: ({ data }) => data.some(isMoving) });
  return (
    <Page
      title="Bulk transfers"
      lead="Send many transfers from one CSV file. Every line is checked first, and nothing is sent before you confirm."
    >
      <StandingNotices />
      {maySend ? <NewFile /> : <Text>Only owners and finance members can send money.</Text>}
      {batches.error && <Failure error={batches.error} onRetry={() => void batches.refetch()} />}
      {batches.data && batches.data.data.length > 0 && <Files files={batches.data.data} />}
    </Page>
  );
}

const EXAMPLE = `amount,bank_code,account_number,reference,narration
15000.00,058,0123456789,salary-nov-ada,November salary`;

function NewFile() {
  return (
    <Card withBorder component="section" aria-labelledby="new-file">
      <Stack gap="sm">
        <Title order={2} size="h4" id="new-file">
          Upload a file
        </Title>
        <Text size="sm">
          The first line names the columns. Amount, bank code and account number are required; a file has at most 1,000
          transfers. Format the columns as text, so that your spreadsheet keeps zeros at the beginning.
        </Text>
        <Command text={EXAMPLE} />
        <Text size="sm">
          The same file uploaded twice pays once, however long ago: for next month's payroll, give each line a new
          reference. Each reference pays only once. Without references, a line that pays the same amount to the same
          account as a transfer of the last 7 days is refused.
        </Text>
        <UploadFile />
      </Stack>
    </Card>
  );
}

function Files({ files }: { files: RowOf<"transfer-batches">[] }) {
  const { home } = useScope();
  return (
    <Card withBorder component="section" aria-labelledby="files">
      <Title order={2} size="h4" id="files" mb="xs">
        Files
      </Title>
      <Table.ScrollContainer minWidth={520} className="rows">
        <Table aria-labelledby="files">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">File</Table.Th>
              <Table.Th scope="col" ta="right">
                Total
              </Table.Th>
              <Table.Th scope="col">Status</Table.Th>
              <Table.Th scope="col">Uploaded</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map((file) => (
              <Table.Tr key={file.reference}>
                <Table.Td>
                  <Anchor component={Link} to={`${home}/transfers/bulk/${file.reference}`} className="wrap-anywhere">
                    <bdi>{file.name}</bdi>
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">
                  <Money naira={file.total} />
                </Table.Td>
                <Table.Td>{progressWords(file)}</Table.Td>
                <Table.Td>
                  <When at={file.created_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
