import { readFile } from "node:fs/promises";
import { Problem, StatementMapping } from "@collect/contracts";

/** The bytes of a file that the operator named. */
export const readGivenFile = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause) => {
    throw new Problem("validation_failed", `${file} cannot be read: ${cause.code}.`, { cause });
  });

/** Which column of a bank's CSV or XLSX is what. */
export async function readMapping(file: string): Promise<StatementMapping> {
  const parsed = StatementMapping.safeParse(fromJson(file, (await readGivenFile(file)).toString()));
  if (parsed.success) return parsed.data;
  throw new Problem("validation_failed", `${file} is not a mapping.`, {
    errors: parsed.error.issues.map(({ path, message }) => ({ param: path.join("."), code: "invalid", message })),
  });
}

function fromJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem("validation_failed", `${file} is not JSON.`, { cause });
  }
}
