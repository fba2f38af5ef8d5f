import ts from "typescript-api";
import { file, isProduct, type Rule, type Source } from "./source.ts";

/** A handler returns requests or consumers, built from its dependencies, or handles one HTTP call. */
const RETURNED = /^(Request|Consumer|RequestHandler)(\[\])?$/;
const ACCEPTED = /Call(<|$)|\brequest: Request\b/;

export const handlers: Rule = {
  name: "files in handlers/ export only functions that return requests or consumers",
  violations: (sources) => sources.filter(isHandlerFile).flatMap(violationsOf),
  counterexamples: {
    "a helper": [file("services/a/src/handlers/b.ts", "export const pageOf = (text: string) => text.trim();")],
    "a helper beside a handler": [
      file(
        "services/a/src/handlers/b.ts",
        "export function bRequests(): Request[] { return []; }\nexport function shown(b: B): Shown { return b; }",
      ),
    ],
    "a handler of another shape": [
      file("services/a/src/inbound/handlers/b.ts", "export const b = (pool: Pool) => answer(request, () => pool);"),
    ],
    "only types": [file("services/a/src/handlers/b.ts", "export type B = string;")],
    "a re-export": [file("services/a/src/handlers/b.ts", 'export { b } from "../store/b.ts";')],
  },
};

const isHandlerFile = (source: Source) => isProduct(source) && /\/handlers\/[^/]+\.ts$/.test(source.path);

function violationsOf({ path, text }: Source): string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const values = tree.statements.filter((statement) => isExported(statement) && !isType(statement));
  const handling = values.filter(handles);
  if (handling.length === 0) return [`${path} exports no handler`];
  return values
    .filter((statement) => !handling.includes(statement))
    .map((statement) => `${path} exports something else: ${statement.getText().split("\n", 1)[0]}`);
}

const isExported = (statement: ts.Statement) =>
  ts.isExportDeclaration(statement) ||
  ts.isExportAssignment(statement) ||
  (ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));

const isType = (statement: ts.Statement) =>
  ts.isTypeAliasDeclaration(statement) ||
  ts.isInterfaceDeclaration(statement) ||
  (ts.isExportDeclaration(statement) && statement.isTypeOnly);

const handles = (statement: ts.Statement) => functionsOf(statement).some(isHandler);

function functionsOf(statement: ts.Statement): ts.SignatureDeclaration[] {
  if (ts.isFunctionDeclaration(statement)) return [statement];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ initializer }) =>
    initializer && ts.isArrowFunction(initializer) ? [initializer] : [],
  );
}

const isHandler = ({ type, parameters }: ts.SignatureDeclaration) =>
  RETURNED.test(type?.getText() ?? "") ||
  parameters.some((parameter) => ACCEPTED.test(parameter.type?.getText() ?? ""));
