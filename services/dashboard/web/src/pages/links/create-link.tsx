import {
  Button,
  Modal,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { useForm } from "@mantine/form";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { filledIn } from "../../components/filled-in.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { lagosInstant } from "../../components/lagos-time.ts";
import { NairaInput } from "../../components/naira-input.tsx";

type Values = {
  title: string;
  description: string;
  pricing: string;
  amount: number | string;
  expires_at: string | null;
  uses_max: number | string;
};
const EMPTY: Values = { title: "", description: "", pricing: "fixed", amount: "", expires_at: null, uses_max: "" };

/** Creates a link. Each opened form has its own idempotency key, so that a double click creates one link. */
export function CreateLink({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create link" size="lg">
      <LinkForm onDone={onClose} />
    </Modal>
  );
}

function LinkForm({ onDone }: { onDone: () => void }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const form = useForm<Values>({
    initialValues: EMPTY,
    validate: {
      title: (title) => (title.trim() ? null : "Enter a title."),
      amount: (amount, { pricing }) => (pricing === "open" || Number(amount) > 0 ? null : "Enter an amount."),
    },
  });
  const create = useAct("links", { changes: ["links"] });
  const submit = form.onSubmit((values) =>
    create.mutate(
      { ...termsOf(values), key },
      {
        onError: (problem) => form.setErrors(fieldErrors(problem)),
        onSuccess: ({ slug }) => {
          onDone();
          navigate(`${home}/links/${slug}`);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          {...form.getInputProps("title")}
          label="Title"
          description="What the payment is for. Shown to the payer."
          data-autofocus
          withAsterisk
          maxLength={100}
          dir="auto"
        />
        <Textarea
          {...form.getInputProps("description")}
          label="Description (optional)"
          autosize
          maxRows={4}
          maxLength={500}
          dir="auto"
        />
        <Pricing value={form.values.pricing} onChange={(pricing) => form.setFieldValue("pricing", pricing)} />
        {form.values.pricing === "fixed" && (
          <NairaInput {...form.getInputProps("amount")} label="Amount" withAsterisk />
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateTimePicker
            {...form.getInputProps("expires_at")}
            label="Expires (optional)"
            description="No payments can be started after this time in Lagos"
            placeholder="Never"
            valueFormat="D MMM YYYY HH:mm"
            minDate={new Date()}
            clearable
            clearButtonProps={{ "aria-label": "Clear expiry" }}
            ariaLabels={{ previousMonth: "Previous month", nextMonth: "Next month" }}
            popoverProps={{ withRoles: false }}
            timePickerProps={{ hoursInputLabel: "Hour", minutesInputLabel: "Minute" }}
            submitButtonProps={{ "aria-label": "Use this date and time" }}
            weekendDays={[]}
          />
          <NumberInput
            {...form.getInputProps("uses_max")}
            label="Use limit (optional)"
            description="Maximum number of payments"
            placeholder="Unlimited"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            thousandSeparator=","
          />
        </SimpleGrid>
        <FormProblem error={create.error} fields={Object.keys(EMPTY)} />
        <Button type="submit" loading={create.isPending}>
          Create link
        </Button>
      </Stack>
    </form>
  );
}

/** The request body: empty fields are omitted. The picker's time is a time in Lagos; the API takes instants. */
function termsOf({ title, description, pricing, amount, expires_at, uses_max }: Values) {
  return {
    title,
    ...filledIn({ description }),
    ...(pricing === "fixed" && { amount: Number(amount) }),
    ...(expires_at && { expires_at: lagosInstant(expires_at) }),
    ...(uses_max !== "" && { uses_max: Number(uses_max) }),
  };
}

function Pricing({ value, onChange }: { value: string; onChange: (pricing: string) => void }) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={600} id={id} mb={4}>
        Who sets the amount
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={onChange}
        data={[
          { value: "fixed", label: "You" },
          { value: "open", label: "The payer" },
        ]}
      />
    </div>
  );
}
