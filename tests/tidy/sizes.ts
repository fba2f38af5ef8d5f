import ts from "typescript-api";
import { file, isCode, isProduct, type Rule, type Source } from "./source.ts";

const FILE_MAX = 250;
const MEDIAN_MAX = 7;
const P90_MAX = 25;
const FUNCTION_MAX = 60;

export const files: Rule = {
  name: `no file is longer than ${FILE_MAX} lines, tests included`,
  violations: (sources) =>
    sources
      .filter(isCode)
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > FILE_MAX)
      .map(({ path, lines }) => `${path} has ${lines} lines`),
  counterexamples: {
    "a long source": [file("services/a/src/domain/b.ts", "const b = 1;\n".repeat(FILE_MAX + 1))],
    "a long test": [file("services/a/test/b.test.ts", "test();\n".repeat(FILE_MAX + 1))],
  },
};

export const functions: Rule = {
  name: `functions are short: median ${MEDIAN_MAX} lines, 90th percentile ${P90_MAX}, maximum ${FUNCTION_MAX}`,
  violations(sources) {
    const measured = sources.filter(isCode).flatMap(functionsOf);
    const long = measured.filter(({ lines }) => lines > FUNCTION_MAX);
    const product = new Set(sources.filter(isProduct).map(({ path }) => path));
    const sorted = measured
      .filter(({ path }) => product.has(path))
      .map(({ lines }) => lines)
      .sort((a, b) => a - b);
    const [median = 0, p90 = 0] = [0.5, 0.9].map((share) => sorted[Math.floor(sorted.length * share)]);
    return [
      ...long.map(({ path, name, lines }) => `${path}: ${name} has ${lines} lines`),
      ...(median > MEDIAN_MAX ? [`the median of all functions is ${median} lines`] : []),
      ...(p90 > P90_MAX ? [`the 90th percentile of all functions is ${p90} lines`] : []),
    ];
  },
  counterexamples: {
    "a very long function": [file("services/a/test/b.test.ts", `function b() {\n${"  c();\n".repeat(60)}}\n`)],
    "a very long arrow function": [file("services/a/src/b.ts", `const b = () => {\n${"  c();\n".repeat(60)}};\n`)],
    "many functions of medium length": [
      file("services/a/src/b.ts", `function b() {\n${"  c();\n".repeat(8)}}\n`.repeat(10)),
    ],
    "too many long functions": [
      file(
        "services/a/src/b.ts",
        "const a = () => 1;\n".repeat(8) + `function b() {\n${"  c();\n".repeat(30)}}\n`.repeat(2),
      ),
    ],
  },
};

export const exportedFirst: Rule = {
  name: "the exported function comes first, its helpers below",
  violations: (sources) =>
    sources.filter(isProduct).flatMap(({ path, text }) => {
      const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const declared = tree.statements.filter(ts.isFunctionDeclaration);
      const first = declared.findIndex(isExported);
      const before = first < 0 ? [] : declared.slice(0, first);
      return before.map(({ name }) => `${path}: ${name?.text} comes before the exported function`);
    }),
  counterexamples: {
    "a helper at the top": [
      file("services/a/src/b.ts", "function half() { return 1; }\nexport function whole() { return 2 * half(); }\n"),
    ],
  },
};

const isExported = (node: ts.FunctionDeclaration) =>
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

type Measured = { path: string; name: string; lines: number };

/** Every function with its lines, those of nested functions too; SQL, templates and JSX do not count. */
function functionsOf({ path, text }: Source): Measured[] {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : undefined;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const found: Measured[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && !isWrapper(node))
      found.push({ path, name: nameOf(node, tree), lines: ownLines(node, tree) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const isFunction = (node: ts.Node) => ts.isFunctionLike(node) && "body" in node && node.body !== undefined;

/** A suite or a script around its functions is no function itself. */
const isWrapper = ({ parent }: ts.Node) =>
  ts.isParenthesizedExpression(parent) ||
  (ts.isCallExpression(parent) && /^describe\b/.test(parent.expression.getText()));

const isExcluded = (node: ts.Node) =>
  ts.isTemplateLiteral(node) || ts.isJsxElement(node) || ts.isJsxFragment(node) || ts.isJsxSelfClosingElement(node);

function ownLines(node: ts.Node, tree: ts.SourceFile): number {
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  const [first, last] = [lineAt(node.getStart(tree)), lineAt(node.end)];
  const excluded = new Set<number>();
  const visit = (child: ts.Node): void => {
    if (!isExcluded(child)) {
      ts.forEachChild(child, visit);
      return;
    }
    for (let line = lineAt(child.getStart(tree)) + 1; line <= lineAt(child.end); line++) excluded.add(line);
  };
  ts.forEachChild(node, visit);
  return last - first + 1 - excluded.size;
}

function nameOf(node: ts.Node, tree: ts.SourceFile): string {
  const named = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) ? node : node.parent;
  const name = ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named) || ts.isVariableDeclaration(named);
  const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
  return name && named.name ? named.name.getText(tree) : `the function in line ${line + 1}`;
}
