import { Button, Modal, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { filledIn } from "../../components/filled-in.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { NairaInput } from "../../components/naira-input.tsx";
import { newReference } from "../../components/own-reference.ts";

const EMPTY = {
  amount: "" as number | string,
  description: "",
  customer_reference: "",
  customer_name: "",
  reference: "",
};

const sessionOf = ({ amount, ...rest }: typeof EMPTY) => ({ ...filledIn(rest), amount: Number(amount) });

/** Creates a payment session. Its panel shows the checkout URL to send to the payer. */
export function CreateSession({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create session" size="lg">
      <SessionForm onDone={onClose} />
    </Modal>
  );
}

function SessionForm({ onDone }: { onDone: () => void }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const [reference] = useState(() => newReference("session"));
  const form = useForm({
    initialValues: { ...EMPTY, reference },
    validate: {
      amount: (amount) => (Number(amount) > 0 ? null : "Enter an amount."),
      reference: (reference) => (reference.trim() ? null : "Enter a reference. It prevents duplicate sessions."),
    },
  });
  const create = useAct("sessions", { changes: ["sessions", "customers"] });
  const submit = form.onSubmit((values) =>
    create.mutate(sessionOf(values), {
      onError: (problem) => form.setErrors(fieldErrors(problem)),
      onSuccess: ({ payment, created }) => {
        onDone();
        if (!created)
          notifications.show({ message: "A session with this reference already exists. It was not changed." });
        navigate(`${home}/sessions/${encodeURIComponent(payment.reference)}`);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <NairaInput
          {...form.getInputProps("amount")}
          label="Amount"
          description="A few kobo are added so that the transfer can be identified"
          data-autofocus
          withAsterisk
        />
        <Textarea
          {...form.getInputProps("description")}
          label="Description (optional)"
          description="Shown to the payer"
          autosize
          maxRows={4}
          maxLength={500}
          dir="auto"
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            {...form.getInputProps("customer_reference")}
            label="Customer reference (optional)"
            description="They pay into their own account"
            maxLength={80}
            autoComplete="off"
          />
          <TextInput
            {...form.getInputProps("customer_name")}
            label="Customer name (optional)"
            description="If set, the payer isn't asked for it"
            maxLength={100}
            dir="auto"
            autoComplete="off"
          />
        </SimpleGrid>
        <TextInput
          {...form.getInputProps("reference")}
          label="Your reference"
          description="For example, an order number. Each reference creates only one session"
          maxLength={100}
          autoComplete="off"
          withAsterisk
        />
        <FormProblem error={create.error} fields={Object.keys(EMPTY)} />
        <Button type="submit" loading={create.isPending}>
          Create session
        </Button>
      </Stack>
    </form>
  );
}
