import { Alert, Button, Fieldset, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useAct } from "../../api/hooks.ts";
import { ApiProblem, fieldErrors, messageOf } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { DETAILS, type DetailName, filled, trimmed, typed, type Verification } from "./business-details.ts";
import { SettlementAccount } from "./settlement-account.tsx";

const CHANGES = { changes: ["verification", "checklist"] } as const;
const BUSINESS = DETAILS.filter(({ name }) => !name.startsWith("settlement_") && !name.startsWith("contact_"));
const CONTACT = DETAILS.filter(({ name }) => name.startsWith("contact_"));

/** Saved as a draft as often as needed, and submitted when complete. */
export function VerificationForm({ verification }: { verification: Verification }) {
  const form = useForm({ initialValues: filled(verification.details) });
  const save = useAct("verification", CHANGES);
  const submit = useAct("verification/submit", CHANGES);
  const refuse = (problem: unknown) => form.setErrors(byName(problem));
  const saveDraft = () => {
    submit.reset();
    save.mutate(
      { details: typed(form.values) },
      {
        onError: refuse,
        onSuccess: () => {
          form.clearErrors();
          form.resetDirty();
          notifications.show({ message: "Draft saved." });
        },
      },
    );
  };
  const submitDetails = (given: typeof form.values) => {
    save.reset();
    submit.mutate({ details: trimmed(given) }, { onError: refuse });
  };
  const problem = submit.error ?? save.error;
  const wrong = Object.keys(byName(problem));
  const isShownInFields = wrong.length > 0 && wrong.every((name) => name in form.values);
  return (
    <form aria-label="Business verification" onSubmit={form.onSubmit(submitDetails)}>
      <Stack maw={720}>
        <Fieldset legend="The business">
          <Fields details={BUSINESS} form={form} />
        </Fieldset>
        <Fieldset legend="Contact person">
          <Fields details={CONTACT} form={form} />
        </Fieldset>
        <Fieldset legend="Settlement account">
          <SettlementAccount
            bank={form.getInputProps("settlement_bank_code")}
            number={form.getInputProps("settlement_account_number")}
          />
        </Fieldset>
        {isShownInFields ? (
          <Alert color="red" role="alert">
            Some fields are missing or invalid. Nothing was submitted.
          </Alert>
        ) : (
          <FormProblem error={problem} fields={DETAILS.map(({ name }) => `details.${name}`)} />
        )}
        <Group>
          <Button type="submit" loading={submit.isPending} disabled={save.isPending}>
            Submit for verification
          </Button>
          <Button variant="default" onClick={saveDraft} loading={save.isPending} disabled={submit.isPending}>
            Save draft
          </Button>
          {form.isDirty() && <Text size="sm">Not saved yet</Text>}
        </Group>
      </Stack>
    </form>
  );
}

type Form = ReturnType<typeof useForm<Record<DetailName, string>>>;

function Fields({ details, form }: { details: typeof DETAILS; form: Form }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {details.map(({ name, label, description, autoComplete, type }) => {
        const props = { ...form.getInputProps(name), label, description, autoComplete };
        if (name === "address") return <Textarea key={name} {...props} autosize minRows={2} maxLength={500} />;
        return <TextInput key={name} {...props} type={type ?? "text"} maxLength={254} inputWrapperOrder={ORDER} />;
      })}
    </SimpleGrid>
  );
}

/** Errors are shown above descriptions, so that inputs of one row stay aligned. */
const ORDER: ("label" | "input" | "error" | "description")[] = ["label", "input", "error", "description"];

/** The server names a field by its path in the request body. */
function byName(problem: unknown): Record<string, string> {
  if (problem instanceof ApiProblem && problem.code === "account_unresolved")
    return { settlement_account_number: messageOf(problem) };
  const errors = Object.entries(fieldErrors(problem));
  return Object.fromEntries(errors.map(([param, message]) => [param.replace(/^details\./, ""), message]));
}
