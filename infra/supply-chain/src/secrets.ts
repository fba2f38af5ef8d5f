import { join } from "node:path";
import { createEngine } from "@secretlint/node";

/** What a secret of ours looks like, beside the tokens and private keys of others that the preset knows. */
const OURS = [
  { name: "live secret key", patterns: ["/\\b[sr]k_live_[0-9A-Za-z]{38}\\b/g"] },
  { name: "signing secret", patterns: ["/\\bwhsec_[0-9A-Za-z+/=]{32,}/g"] },
  { name: "seed of a bus user", patterns: ["/\\bS[UAO][A-Z2-7]{56}\\b/g"] },
];

const CONFIG = {
  rules: [
    { id: "@secretlint/secretlint-rule-preset-recommend" },
    { id: "@secretlint/secretlint-rule-pattern", options: { patterns: OURS } },
  ],
};

/** Tests and published test vectors invent keys of ours, and passwords in URLs: there only the private keys and tokens of others count. */
const INVENTED_IN_TESTS = /secretlint-rule-(pattern|basicauth|database-connection-string)\]/;
const isTest = (line: string) =>
  /\.test\.tsx?:|\/tests?\/|\/packages\/testing\/|\/webhook-verification\/vectors\.json:/.test(line);

/** The places in these files, whose paths begin at the root, that look like a secret. The secret itself is masked. */
export async function findSecrets(files: string[], root: string): Promise<string[]> {
  const options = { cwd: root, configFileJSON: CONFIG, formatter: "unix", color: false, maskSecrets: true };
  const engine = await createEngine(options);
  const { output } = await engine.executeOnFiles({ filePathList: files.map((path) => join(root, path)) });
  const found = output.split("\n").filter((line) => line.includes("[Error/"));
  return found.filter((line) => !(isTest(line) && INVENTED_IN_TESTS.test(line)));
}
