import { Alert, List } from "@mantine/core";
import { errorsByField, messageOf } from "../api/problem.ts";

/** The refusal, unless all of it is shown beside the form's fields: errors of other fields are shown here, if they say more. */
export function FormProblem({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  if (!error) return null;
  const wrong = Object.entries(errorsByField(error));
  const elsewhere = wrong.filter(([field]) => !fields.includes(field));
  if (wrong.length > 0 && elsewhere.length === 0) return null;
  const further = elsewhere.filter(([, message]) => message !== messageOf(error));
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
      {further.length > 0 && (
        <List size="sm">
          {further.map(([field, message]) => (
            <List.Item key={field}>
              {field.replaceAll("_", " ")} {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
