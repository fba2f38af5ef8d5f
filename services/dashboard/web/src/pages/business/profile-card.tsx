import {
  Button,
  Card,
  ColorSwatch,
  FileButton,
  Group,
  Input,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useId, useState } from "react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { errorsByField, fieldErrors } from "../../api/problem.ts";
import { useMay } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { LOGO_TYPES, type Logo, readLogo } from "./logo-file.ts";
import { PaymentPagePreview } from "./payment-page-preview.tsx";

type Profile = ReadResponse<"business-profile">;
const FIELDS = ["color", "support_email", "support_phone", "logo"] as const;

/** The profile, with a payment page as it will look beside it. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const title = useId();
  const mayChange = useMay("keys");
  const [typed, setTyped] = useState({
    color: profile.color ?? "",
    support_email: profile.support_email ?? "",
    support_phone: profile.support_phone ?? "",
  });
  const [logo, setLogo] = useState<Logo | null>(profile.logo_image);
  const [unreadable, setUnreadable] = useState<string>();
  const save = useAct("business-profile", { changes: ["business-profile"] });
  const errors = errorsByField(save.error);
  const choose = async (file: File | null) => {
    if (!file) return;
    const read = await readLogo(file);
    setUnreadable("problem" in read ? read.problem : undefined);
    if ("logo" in read) setLogo(read.logo);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isChanged = logo?.data !== profile.logo_image?.data;
    const chosen = {
      color: typed.color.trim() || null,
      support_email: typed.support_email.trim() || null,
      support_phone: typed.support_phone.trim() || null,
      ...(isChanged && { logo: logo?.data ?? null }),
    };
    const onSuccess = () => notifications.show({ message: "Saved. Payers see the change from now on." });
    save.mutate(chosen, { onSuccess });
  };
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    error: fieldErrors(save.error)[name],
    disabled: !mayChange,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((others) => ({ ...others, [name]: value }));
    },
  });
  return (
    <Card withBorder component="section" aria-labelledby={title}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <form onSubmit={submit}>
          <Stack gap="md">
            <Title order={2} size="h4" id={title}>
              Checkout page
            </Title>
            <LogoField
              logo={logo}
              error={unreadable ?? errors.logo}
              mayChange={mayChange}
              onChoose={choose}
              onRemove={() => setLogo(null)}
            />
            <TextInput
              {...field("color")}
              label="Color"
              description="For the button and the kobo of the amount. We adjust its lightness where text would be hard to read."
              placeholder="#0a7d5b"
              maw={320}
              leftSection={<ColorSwatch size={16} color={colorOr(typed.color, "transparent")} />}
            />
            <TextInput
              {...field("support_email")}
              label="Support email"
              description="Payers with a question write to this address."
              type="email"
              autoComplete="off"
              maw={320}
            />
            <TextInput
              {...field("support_phone")}
              label="Support phone"
              type="tel"
              placeholder="+234 801 234 5678"
              autoComplete="off"
              maw={320}
            />
            <FormProblem error={save.error} fields={FIELDS} />
            {mayChange ? (
              <Group>
                <Button type="submit" loading={save.isPending}>
                  Save
                </Button>
              </Group>
            ) : (
              <Text size="sm">Only an owner or a developer can change this.</Text>
            )}
          </Stack>
        </form>
        <PaymentPagePreview
          logo={logo}
          color={colorOr(typed.color, undefined)}
          email={typed.support_email.trim()}
          phone={typed.support_phone.trim()}
        />
      </SimpleGrid>
    </Card>
  );
}

const colorOr = <Other,>(typed: string, other: Other): string | Other =>
  /^#[0-9a-f]{6}$/i.test(typed.trim()) ? typed.trim() : other;

type LogoProps = {
  logo: Logo | null;
  error: string | undefined;
  mayChange: boolean;
  onChoose: (file: File | null) => void;
  onRemove: () => void;
};

function LogoField({ logo, error, mayChange, onChoose, onRemove }: LogoProps) {
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="A square PNG, JPEG or WebP image, 32 to 1,024 pixels wide, at most 64 kB."
      error={error && <span role="alert">The logo {error}.</span>}
    >
      {mayChange && (
        <Group gap="xs" mt={6} mb={error ? 6 : 0}>
          <FileButton accept={LOGO_TYPES.join()} onChange={onChoose}>
            {(button) => (
              <Button {...button} variant="default">
                {logo ? "Choose another image" : "Choose an image"}
              </Button>
            )}
          </FileButton>
          {logo && (
            <Button variant="default" onClick={onRemove}>
              Remove
            </Button>
          )}
        </Group>
      )}
    </Input.Wrapper>
  );
}
