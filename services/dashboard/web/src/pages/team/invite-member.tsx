import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { ActFields, ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";
import { ROLES } from "./roles.ts";

type Invited = ActResponse<"members/invite">;

/** The invitation is mailed. Without a mail server its link is shown instead, until the dialog is closed. */
export function InviteMember() {
  const [isOpen, { open, close }] = useDisclosure();
  const [isLinkShown, setLinkShown] = useState(false);
  const end = () => {
    close();
    setLinkShown(false);
  };
  return (
    <>
      <Button onClick={open}>Invite member</Button>
      <Modal opened={isOpen} onClose={end} title="Invite a team member" closeOnEscape={!isLinkShown}>
        <Invite onMade={() => setLinkShown(true)} onEnd={end} />
      </Modal>
    </>
  );
}

function Invite({ onMade, onEnd }: { onMade: () => void; onEnd: () => void }) {
  const form = useForm<ActFields<"members/invite">>({ initialValues: { email: "", role: "developer" } });
  const invite = useAct("members/invite", { changes: ["members"] });
  if (invite.data) return <Link {...invite.data} email={form.values.email} onEnd={onEnd} />;
  return (
    <form
      onSubmit={form.onSubmit((given) =>
        invite.mutate(given, { onError: (problem) => form.setErrors(fieldErrors(problem)), onSuccess: onMade }),
      )}
    >
      <Stack>
        <TextInput
          {...form.getInputProps("email")}
          label="Their email"
          type="email"
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group {...form.getInputProps("role")} label="Their role">
          <Stack gap="xs" mt={4}>
            {ROLES.map(({ value, label, may }) => (
              <Radio key={value} value={value} label={label} description={may} />
            ))}
          </Stack>
        </Radio.Group>
        <FormProblem error={invite.error} fields={["email", "role"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onEnd}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Create invitation
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Link({ url, expires_at, email, onEnd }: Invited & { email: string; onEnd: () => void }) {
  if (url === null)
    return (
      <Stack>
        <Text size="sm" role="status">
          We've sent an invitation to <strong>{email}</strong>. It works once, and expires <When at={expires_at} />.
        </Text>
        <Button onClick={onEnd}>Done</Button>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">
        Send this link to <strong>{email}</strong> yourself. It works once, only for that email address, and expires{" "}
        <When at={expires_at} />. It is shown only once.
      </Text>
      <Alert color="yellow" role="status" title="Invitation link">
        <Copy value={url} what="invitation link" />
      </Alert>
      <Button onClick={onEnd}>I've copied it</Button>
    </Stack>
  );
}
