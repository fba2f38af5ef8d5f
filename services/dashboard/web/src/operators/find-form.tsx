import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";

type Props = {
  label: string;
  description: string;
  button: string;
  initial?: string;
  isRequired?: boolean;
  /** It is another one by now. */
  onChange: () => void;
  /** Gets it without the spaces around it. */
  onFind: (id: string) => void;
};

/** Asks for one id, which the operator has from elsewhere. */
export function FindForm({ label, description, button, initial = "", isRequired = true, onChange, onFind }: Props) {
  const [typed, setTyped] = useState(initial);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <form onSubmit={find}>
      <Stack gap="sm">
        <TextInput
          label={isRequired ? label : `${label} (optional)`}
          description={description}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            onChange();
          }}
          maxLength={100}
          required={isRequired}
          withAsterisk={false}
        />
        <Group>
          <Button type="submit" variant="default">
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
