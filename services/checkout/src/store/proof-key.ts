import { randomBytes } from "node:crypto";
import { type Pool, statement } from "@collect/database";

const make = statement("insert into proof_key (key) values ($1) on conflict (id) do nothing");
const find = statement<{ key: Buffer }>("select key from proof_key");

/** The key of all replicas. The first one that needs it makes it. */
export async function proofKeyOf(pool: Pool): Promise<Buffer> {
  const [known] = await find(pool);
  if (known) return known.key;
  await make(pool, [randomBytes(32)]);
  const [made] = await find(pool);
  if (!made) throw new Error("the key was inserted and is not there");
  return made.key;
}
