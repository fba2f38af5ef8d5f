import type { KeyScope } from "@collect/contracts";
import { Alert, Button, Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { ApiProblem, fieldErrors } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { SCOPES } from "./scopes.ts";

/** Makes a restricted key in the mode of the page. The key is shown until the dialog is closed. */
export function CreateRestrictedKey() {
  const { mode } = useScope();
  const [isOpen, { open, close }] = useDisclosure();
  const [made, setMade] = useState<string>();
  const end = () => {
    close();
    setMade(undefined);
  };
  return (
    <>
      <Button onClick={open}>Create restricted key</Button>
      <Modal opened={isOpen} onClose={end} title={`Create a restricted ${mode} key`} closeOnEscape={!made}>
        {made ? <ShownOnce made={made} onEnd={end} /> : <KeyForm onMade={setMade} onCancel={end} />}
      </Modal>
    </>
  );
}

type Values = { name: string; scopes: KeyScope[]; addresses: string };

function KeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const { mode } = useScope();
  const maySendMoney = useMay("secret_keys") || mode === "test";
  const create = useAct("keys/restricted", { changes: ["keys", "checklist"] });
  const form = useForm<Values>({
    initialValues: { name: "", scopes: [], addresses: "" },
    validate: {
      name: (name) => (name.trim() ? null : "Enter a name, such as the program that uses the key."),
      scopes: (scopes) => (scopes.length > 0 ? null : "Choose at least one."),
    },
  });
  const submit = form.onSubmit(({ name, scopes, addresses }) => {
    const networks = addresses.split(/[\s,]+/).filter(Boolean);
    const onError = (problem: unknown) => form.setErrors(byField(problem, networks));
    create.mutate({ name, scopes, addresses: networks }, { onError, onSuccess: ({ key }) => onMade(key) });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          {...form.getInputProps("name")}
          label="Name"
          description="The program that uses it, so that you can tell your keys apart"
          placeholder="Payroll server"
          maxLength={100}
          dir="auto"
          withAsterisk
          data-autofocus
        />
        <Checkbox.Group {...form.getInputProps("scopes")} label="What it can do" withAsterisk>
          <Stack gap="xs" mt={4}>
            {SCOPES.map(({ value, label, may }) => (
              <Checkbox
                key={value}
                value={value}
                label={label}
                description={may}
                disabled={value === "transfers:write" && !maySendMoney}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Textarea
          {...form.getInputProps("addresses")}
          label="IP addresses it can be used from (optional)"
          description="IPv4 or IPv6 addresses or networks, one per line, at most 20. Leave it empty to allow any address."
          placeholder="102.89.0.0/16"
          autosize
          minRows={2}
          maxRows={6}
        />
        <FormProblem error={create.error} fields={["name", "scopes", "addresses"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The errors at the fields; one of a single address names it, because they share a field. */
function byField(problem: unknown, networks: string[]): Record<string, string> {
  const wrong = problem instanceof ApiProblem && problem.errors.find(({ param }) => param.startsWith("addresses."));
  if (!wrong) return fieldErrors(problem);
  const which = networks[Number(wrong.param.split(".")[1])];
  return { ...fieldErrors(problem), addresses: `${which} ${wrong.message}.` };
}

function ShownOnce({ made, onEnd }: { made: string; onEnd: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" title="Your new key, shown only once" role="status">
        <Copy value={made} what="restricted key" />
      </Alert>
      <Text size="sm">Copy it to the secret store of the program that uses it. We keep only a fingerprint.</Text>
      <Button onClick={onEnd}>I've saved it</Button>
    </Stack>
  );
}
