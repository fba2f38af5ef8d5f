import { Alert, Anchor, Button, Card, SimpleGrid, Table, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import { Failure } from "../../components/failure.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { ActDialog } from "../act-dialog.tsx";
import { type Read, useRead } from "../api.ts";
import { DayDetails } from "../day-details.tsx";
import { DayItems } from "../day-items.tsx";
import { dayWords } from "../day-words.ts";
import { Kobo } from "../kobo.tsx";

type Sheet = Read<"days/:day">;

/** A day at the banks and in our books: the balances, the difference line by line, and what can be done about it. */
export default function DayPage() {
  const { day = "" } = useParams();
  const { data, error, refetch } = useRead("days/:day", { day });
  // Until the day of the address is read, what is kept may be another one.
  const sheet = data?.day === day ? data : undefined;
  return (
    <Page
      title={dayWords(day)}
      lead={sheet ? <Lead {...sheet} /> : "A day at our banks and in our books."}
      actions={sheet && <Acts {...sheet} />}
    >
      {error && <Failure error={error} isOld={sheet !== undefined} onRetry={() => void refetch()} />}
      {!sheet && !error && <Loading />}
      {sheet && (
        <>
          {sheet.state === "open" && <Standing {...sheet} />}
          <Balances {...sheet} />
          <DayItems sheet={sheet} />
          <DayDetails key={day} {...sheet} />
        </>
      )}
      <Anchor component={Link} to="/days" size="sm">
        All days
      </Anchor>
    </Page>
  );
}

function Lead({ closed_at, closed_by }: Sheet) {
  if (closed_at === null) return <>Open. This is how it stands now.</>;
  return (
    <>
      Closed by {closed_by}, <When at={closed_at} />. This is how it stood then, and nothing counts on it anymore.
    </>
  );
}

function Acts(sheet: Sheet) {
  const { day, state } = sheet;
  return (
    <>
      {(["csv", "pdf"] as const).map((format) => (
        <Button
          key={format}
          component="a"
          href={`/api/days/${day}/report.${format}`}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      <ActDialog
        subject="statements.day.reopen"
        label="Reopen day"
        isOffered={state === "closed"}
        isDangerous
        effect={`What was closed for ${dayWords(day)} is kept, and the day can change again. Only the last closed day can be reopened.`}
        reason="Reason"
        inputOf={(reason) => ({ day, reason })}
      />
      <CloseDay {...sheet} />
    </>
  );
}

/** Of the sheet that was shown when the dialog was opened, also if the page is read again behind it. */
function CloseDay({ day, state, blocked_by, digest }: Sheet) {
  const [seen, setSeen] = useState(digest);
  return (
    <ActDialog
      subject="statements.day.close"
      label="Close day"
      isOffered={state === "open" && blocked_by === null}
      effect={`${dayWords(day)} is locked as you see it now, and you vouch for the statements that others imported and the reasons that they gave. What turns up later counts on the first open day.`}
      onOpen={() => setSeen(digest)}
      inputOf={() => ({ day, seen })}
    />
  );
}

function Standing({ blocked_by, items_total }: Sheet) {
  if (blocked_by !== null)
    return (
      <Alert color="yellow" title="It can't be closed yet">
        {blocked_by}
      </Alert>
    );
  return (
    <Alert color="green" title="It can be closed">
      {items_total === 0
        ? "Our books agree with the bank to the kobo. A person who imported none of its statements closes the day."
        : "Every difference is settled or has a reason. A person who gave none of the reasons and imported none of its statements closes the day."}
    </Alert>
  );
}

type Line = [name: string, value: ReactNode];

function Balances({ accounts, ledger, difference, charges, own_funds, balance }: Sheet) {
  const inLedger = BigInt(ledger.closing) - BigInt(ledger.opening);
  const amount = (name: string, kobo: string | bigint): Line => [name, <Kobo key={name} kobo={kobo} />];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {accounts.map((account) => (
        <Balance
          key={account.number}
          title={`${account.number} at ${account.bank}`}
          lines={[
            ["Lines matched", `${account.matched} of ${account.lines}`],
            ...(account.matched_by_amount ? [["By the amount alone", account.matched_by_amount] satisfies Line] : []),
            ...bookedOf(account.number, "Charges in our ledger", charges),
            ...bookedOf(account.number, "Own funds in our ledger", own_funds),
            amount("Opening", account.opening),
            amount("In", account.in),
            amount("Out", account.out),
            amount("Charges", account.charges),
            amount("Closing", account.closing),
            ...(account.booked === undefined ? [] : [amount("In our books", account.booked)]),
            ...(account.difference === undefined ? [] : [amount("Difference", account.difference)]),
          ]}
        />
      ))}
      <Balance
        title="Our ledger, all accounts"
        lines={[amount("Opening", ledger.opening), amount("Change", inLedger), amount("Closing", ledger.closing)]}
      />
      <Balance
        title="Difference"
        lines={[
          amount("Change at the banks", inLedger + BigInt(difference)),
          amount("Change in our ledger", inLedger),
          amount("Difference", difference),
        ]}
      />
      {balance && (
        <Balance
          title="Balances at the end of the day"
          lines={[
            amount("In all accounts at the banks", balance.at_banks),
            amount("In our ledger, once the day is booked", balance.in_ledger),
            amount("Timing", balance.timing),
            amount("Not booked", balance.unbooked),
            amount("More at the banks", balance.difference),
          ]}
        />
      )}
    </SimpleGrid>
  );
}

const bookedOf = (number: string, name: string, totals: Sheet["charges"] = []) =>
  totals
    .filter(({ account }) => account === number)
    .map(({ booked }): Line => [name, booked ? "Booked" : "Not booked yet"]);

/** Lines above what they come to. */
function Balance({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <Table withRowBorders={false} horizontalSpacing={0} verticalSpacing={4} mt="xs">
        <Table.Tbody>
          {lines.map(([name, value], place) => {
            const isSum = place === lines.length - 1;
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={isSum ? 600 : 400} {...(!isSum && { c: "dimmed" })}>
                  {name}
                </Table.Th>
                <Table.Td ta="right" fw={isSum ? 600 : 400}>
                  {value}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
