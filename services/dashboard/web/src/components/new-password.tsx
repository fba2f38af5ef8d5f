import { PasswordInput, type PasswordInputProps, Progress, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

/** From 0 to 4, as the server judges it too; 3 is enough. */
const WORDS = ["Very easy to guess", "Easy to guess", "Still easy to guess", "Strong", "Very strong"];
const COLORS = ["red", "red", "orange", "accent", "accent"];

type Props = PasswordInputProps & { value: string; personal: string[] };

/** A field for a new password, with its strength while it is typed. The dictionaries are loaded once something is typed. */
export function NewPassword({ personal, ...input }: Props) {
  const [typed] = useDebouncedValue(input.value, 150);
  const { data: strength } = useQuery({
    queryKey: ["strength", typed, personal],
    queryFn: async () => (await import("@collect/dashboard/password-strength")).strengthOf(typed, personal),
    enabled: typed !== "",
    gcTime: 0,
  });
  const score = typed === "" ? undefined : strength?.score;
  return (
    <Stack gap={6}>
      <PasswordInput
        description="At least 10 characters. Three or four random words work well."
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...input}
      />
      {score !== undefined && (
        <div>
          <Progress value={(score + 1) * 20} color={COLORS[score] ?? "red"} size="sm" aria-label="Password strength" />
          <Text size="sm" role="status" mt={4}>
            {WORDS[score]}
            {score < 3 && strength?.hint && `: ${strength.hint}`}
          </Text>
        </div>
      )}
    </Stack>
  );
}
