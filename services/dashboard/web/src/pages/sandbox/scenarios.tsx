import { Alert, Autocomplete, Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ActFields, ActResponse, Noun } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Money } from "../../components/money.tsx";
import { NairaInput, nairaOf } from "../../components/naira-input.tsx";
import { RecordLink } from "../../components/record-link.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { isAboutServer, isScenario, RESULTS, SCENARIOS } from "./scenario-words.ts";

const CHANGES = [
  "collections",
  "sessions",
  "customers",
  "payers",
  "balance",
  "collection-days",
  "events",
  "deliveries",
  "webhook",
] as const satisfies Noun[];

/** The seeds that are suggested. Any other can be typed, to repeat a run. */
const SEED_MAX = 1_000_000;
const FIELDS = ["name", "account_number", "amount", "seed", "times"];

type Values = {
  name: ActFields<"scenarios">["name"];
  account_number: string;
  amount: number | string;
  seed: number | string;
  times: number | string;
};

/** Faults of the partner bank and of the merchant's server, played with test money. */
export function Scenarios() {
  const mayPlay = useMay("collect");
  return (
    <SectionCard
      title="Scenarios"
      lead="Faults of the bank and of your server. Test payments follow the same path as real ones, with events and balances."
    >
      {mayPlay ? <Play /> : <Text size="sm">Owners, finance members and developers can play them.</Text>}
    </SectionCard>
  );
}

function Play() {
  const play = useAct("scenarios", { changes: CHANGES });
  const customers = useRead("customers", { limit: 20, status: "active" });
  const form = useForm<Values>({
    initialValues: {
      name: "reported_twice",
      account_number: "",
      amount: "",
      seed: Math.floor(Math.random() * SEED_MAX),
      times: 1,
    },
  });
  const { name } = form.values;
  const owners = new Map(
    customers.data?.data.map(({ account_number, customer_name }) => [account_number, customer_name]),
  );
  const submit = form.onSubmit(({ name, account_number, amount, seed, times }) =>
    play.mutate(
      {
        name,
        account_number: account_number.trim(),
        amount: nairaOf(amount),
        seed: Number(seed),
        ...(isAboutServer(name) && { times: Number(times) }),
      },
      { onError: (problem) => form.setErrors(fieldErrors(problem)) },
    ),
  );
  return (
    <form aria-label="Play a scenario" onSubmit={submit}>
      <Stack gap="sm">
        <Select
          label="What goes wrong"
          description={SCENARIOS[name].what}
          data={Object.entries(SCENARIOS).map(([value, { label }]) => ({ value, label }))}
          allowDeselect={false}
          value={name}
          error={form.errors.name}
          onChange={(chosen) => isScenario(chosen) && form.setFieldValue("name", chosen)}
        />
        <Autocomplete
          {...form.getInputProps("account_number")}
          label="Account number"
          description="The test account of a customer, or of a payment session."
          required
          inputMode="numeric"
          data={[...owners.keys()]}
          renderOption={({ option }) => (
            <Text size="sm" truncate>
              {option.value} <bdi>{owners.get(option.value)}</bdi>
            </Text>
          )}
        />
        <Group align="flex-start" gap="sm">
          <NairaInput
            {...form.getInputProps("amount")}
            label="Amount in naira"
            placeholder="Chosen by the seed"
            w={{ base: "100%", xs: 180 }}
          />
          <NumberInput
            {...form.getInputProps("seed")}
            label="Seed"
            min={0}
            max={2_147_483_647}
            allowDecimal={false}
            required
            w={{ base: "100%", xs: 140 }}
          />
          {isAboutServer(name) && (
            <NumberInput
              {...form.getInputProps("times")}
              label="Attempts that fail"
              min={1}
              max={15}
              allowDecimal={false}
              required
              w={{ base: "100%", xs: 140 }}
            />
          )}
        </Group>
        <Text size="sm" c="dimmed">
          The same fields and seed are the same run, and a repeat credits nothing again. Change the seed for a new run.
        </Text>
        <Button type="submit" w="fit-content" loading={play.isPending}>
          Play scenario
        </Button>
        <FormProblem error={play.error} fields={FIELDS} />
        {play.data && <Played {...play.data} />}
      </Stack>
    </form>
  );
}

function Played({ name, seed, reports }: ActResponse<"scenarios">) {
  return (
    <Alert color="accent" role="status" title={`${SCENARIOS[name].label}, seed ${seed}`}>
      <Stack gap={4}>
        {reports.map(({ result, amount, payer_name, reference }, place) => (
          <Text key={place} size="sm">
            <Money naira={amount} /> from <bdi>{payer_name}</bdi>. {RESULTS[result]}.{" "}
            {reference && (
              <>
                <RecordLink to={["collections", reference]}>View collection</RecordLink>{" "}
                <RecordLink to={["developers", "events"]} search={{ search: reference }}>
                  View events
                </RecordLink>
              </>
            )}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
