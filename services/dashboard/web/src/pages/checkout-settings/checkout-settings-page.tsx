import { Button, Card, Checkbox, Group, Skeleton, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import { hostsIn } from "./return-hosts.ts";

/** What callers with the public key of this mode may do with the checkout page. */
export function CheckoutSettingsPage() {
  const { mode } = useScope();
  const settings = useRead("checkout-settings");
  return (
    <Page
      title="Checkout"
      lead={`Your public key is in your web pages, so anyone can open a ${mode} checkout in your name with it. Here you decide what they can make it say.`}
    >
      {settings.error && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isPending && <Skeleton height={220} />}
      {settings.data && <SettingsCard key={JSON.stringify(settings.data)} settings={settings.data} />}
    </Page>
  );
}

function SettingsCard({ settings }: { settings: ReadResponse<"checkout-settings"> }) {
  const mayChange = useMay("keys");
  const { mode } = useScope();
  const [hosts, setHosts] = useState(settings.return_hosts.join("\n"));
  const [showsText, setShowsText] = useState(settings.public_descriptions);
  const save = useAct("checkout-settings", { changes: ["checkout-settings"] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ return_hosts: hostsIn(hosts), public_descriptions: showsText });
  };
  return (
    <Card withBorder component="section" aria-label="Public key">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Textarea
            label="Return hosts"
            description={
              mode === "live"
                ? "Payers can return only to these. One host a line, such as shop.example. While there are none, the page has no way back."
                : "One host a line, such as shop.example. While there are none, payers can return to any https address in test mode; live, they need a host from your live list."
            }
            autosize
            minRows={3}
            value={hosts}
            disabled={!mayChange}
            onChange={(event) => setHosts(event.currentTarget.value)}
          />
          <Checkbox
            label="Show descriptions that are sent with the public key"
            description="The page marks them as not checked by you. Descriptions from your server are always shown as yours."
            checked={showsText}
            disabled={!mayChange}
            onChange={(event) => setShowsText(event.currentTarget.checked)}
          />
          <FormProblem error={save.error} />
          {mayChange && (
            <Group>
              <Button type="submit" loading={save.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}
