import { newSecret } from "./new-secret.ts";

/**
 * The environment of a process as Compose makes it, for tests: with a `.env` that is empty unless it is given, and with secrets that are
 * new unless they are given.
 */
export function filledIn(environment: Record<string, string>, env: NodeJS.Dict<string> = {}): NodeJS.Dict<string> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(:[-+]|-)([^}]*)\}/g, (_, variable, kind, value) => {
      if (kind === ":+") return env[variable] ? value : "";
      return kind === "-" ? (env[variable] ?? value) : env[variable] || value;
    });
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => {
      const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(text) ?? [];
      if (!secret) return [name, fill(text)];
      return [name.replace(/_FILE$/, ""), env[secret.toUpperCase()] ?? newSecret(secret.toUpperCase())];
    }),
  );
}
