import type { OperatorActs, OperatorParts, OperatorReads, OperatorSignIns } from "@collect/dashboard";
import { keepPreviousData, type UseQueryResult, useMutation, useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { ApiProblem } from "../api/problem.ts";
import { queryClient } from "../api/query-client.ts";
import { findKey, sign } from "./browser-key.ts";

/** The calls of the operators' pages, typed by the server's table. */

type ReadPath = keyof OperatorReads;
export type Read<Path extends ReadPath> = OperatorReads[Path]["output"];
export type Act = keyof OperatorActs;
export type Input<Subject extends Act> = OperatorActs[Subject]["input"];
type SignIn = keyof OperatorSignIns;

const read = <Path extends ReadPath>(path: Path, fields: object) =>
  call<OperatorReads[Path]["output"]>("GET", "/api", path, fields);

export function useRead<Path extends ReadPath>(
  path: Path,
  fields: Partial<Record<string, string>> = {},
): UseQueryResult<OperatorReads[Path]["output"]> {
  return useQuery({ queryKey: [path, fields], queryFn: () => read(path, fields), placeholderData: keepPreviousData });
}

/** The same for what a person decides by: never the answer to other fields, which were asked before. */
export function useExactRead<Path extends ReadPath>(
  path: Path,
  fields: Partial<Record<string, string>>,
): UseQueryResult<OperatorReads[Path]["output"]> {
  return useQuery({ queryKey: [path, fields], queryFn: () => read(path, fields) });
}

/** Who is signed in; null without a session. */
export const useMe = () =>
  useQuery({
    queryKey: ["me"],
    queryFn: () =>
      call<{ name: string; public_key: string }>("GET", "/api", "me").catch((error) => {
        if (error instanceof ApiProblem && error.status === 401) return null;
        throw error;
      }),
  });

/** Whose key this browser has: null without one, and without a name if it is no operator's. */
export const useOwnKey = () =>
  useQuery({
    queryKey: ["key"],
    queryFn: async () => {
      const key = await findKey();
      if (!key) return null;
      const { public_key } = key;
      const known = await read("key", { public_key }).catch((error) => {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      });
      return { public_key, known };
    },
    staleTime: 0,
  });

/** Sends what the browser's key signs: exactly this input. */
async function send<Response>(base: string, { subject, body, proposal }: Signed): Promise<Response> {
  const key = await findKey();
  if (!key) throw new Error("This browser has no operator's key.");
  const signature = await sign(key, { subject, body, proposal });
  return call<Response>("POST", base, subject, { input: JSON.parse(body), signature });
}
type Signed = { subject: string; body: string; proposal?: string | undefined };

export const signInBy = <Subject extends SignIn>(subject: Subject, input: OperatorSignIns[Subject]["input"]) =>
  send<{ name: string }>("/api/sign-in", { subject, body: JSON.stringify(input) });

/** The result of an act; or that it waits for a second operator, which is no failure. */
export type Outcome<Done> = { done: Done } | { waits: string };
export type Done<Subject extends Act> = OperatorActs[Subject]["output"];

/** An act, and what is shown is read anew. */
export function useAct<Subject extends Act>(subject: Subject) {
  return useMutation({
    mutationFn: (input: Input<Subject>) =>
      outcomeOf(send<Done<Subject>>("/api/acts", { subject, body: JSON.stringify(input) })),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** As the server takes parts: as many, and in all 16 MB. Small ones arrive in time on a slow network. */
const [PARTS_MAX, PART_BYTES, FILE_BYTES_MAX] = [4, 1024 * 1024, 16 * 1024 * 1024];

type StatementFile = { file: File } & Pick<
  Input<"statements.file.import">,
  "account" | "period" | "closing" | "despite_number"
>;

/** Stores a statement's file in parts, and takes it: the operator signs the hash of the whole. */
export function useStatementFile() {
  return useMutation({
    mutationFn: async ({ file, ...named }: StatementFile) => {
      if (file.size > FILE_BYTES_MAX) throw new Error("It is larger than 16 MB. Nothing was sent.");
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
      const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      const parts = Math.min(PARTS_MAX, Math.max(1, Math.ceil(file.size / PART_BYTES)));
      const size = Math.ceil(file.size / parts);
      for (let part = 1; part <= parts; part++) {
        const data = await base64Of(file.slice((part - 1) * size, part * size));
        await call("POST", "/api", "statements/parts", { hash, part, data } satisfies Part);
      }
      const input: Input<"statements.file.import"> = { hash, parts, name: file.name.slice(0, 200), ...named };
      const body = JSON.stringify(input);
      return send<Done<"statements.file.import">>("/api/acts", { subject: "statements.file.import", body });
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
type Part = OperatorParts["statements/parts"]["input"];

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Executes exactly what another operator proposed. */
export function useApproval() {
  return useMutation({
    mutationFn: (proposal: Read<"proposals">["proposals"][number]) =>
      outcomeOf(send("/api/acts", { subject: proposal.subject, body: proposal.body, proposal: proposal.proposal_id })),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

function outcomeOf<Response>(sent: Promise<Response>): Promise<Outcome<Response>> {
  return sent.then(
    (done) => ({ done }),
    (error) => {
      if (error instanceof ApiProblem && error.code === "approval_required") return { waits: error.message };
      throw error;
    },
  );
}

export async function signOut(): Promise<void> {
  await call("POST", "/api", "sign-out");
  queryClient.clear();
}
