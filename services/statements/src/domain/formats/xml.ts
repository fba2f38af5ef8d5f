import sax from "sax";
import { fault } from "../fault.ts";
import { printable } from "../statement.ts";

export type Element = { name: string; attributes: Record<string, string>; text: string; at: number };

const DEPTH_MAX = 40;
const TEXT_MAX = 20_000;
/** A sheet of 50,000 lines has 1.5 million elements. Empty ones are small once they are packed, and each takes its time. */
const ELEMENTS_MAX = 2_500_000;
const ATTRIBUTES_MAX = 50;

/**
 * Reads XML as a stream of elements, so that a large file needs little memory. Nothing outside the file is ever read, and no entity
 * that the file declares is replaced: a document type is refused. `path` has the names without prefixes, from the root on:
 * `Document/BkToCstmrStmt/Stmt`.
 */
export function readXml(
  text: string,
  { open, close }: { open?(path: string, element: Element): void; close(path: string, element: Element): void },
): void {
  const parser = sax.parser(true, { position: true });
  const stack: Element[] = [];
  const paths: string[] = [];
  const line = () => parser.line + 1;
  parser.onerror = ({ message }) => {
    throw fault("malformed", `It is not well-formed XML: ${message.split("\n")[0]}`, line());
  };
  parser.ondoctype = () => {
    throw fault("malformed", "It has a document type.", line());
  };
  let attributesOfTag = 0;
  let elements = 0;
  parser.onopentagstart = () => {
    attributesOfTag = 0;
    if (++elements > ELEMENTS_MAX) throw fault("too_large", `It has more than ${ELEMENTS_MAX} elements.`, line());
  };
  parser.onattribute = () => {
    if (++attributesOfTag > ATTRIBUTES_MAX)
      throw fault("malformed", `An element has more than ${ATTRIBUTES_MAX} attributes.`, line());
  };
  parser.onopentag = ({ name, attributes }) => {
    if (stack.length >= DEPTH_MAX) throw fault("malformed", "Its elements are nested too deeply.", line());
    const element = { name, attributes: attributes as Record<string, string>, text: "", at: line() };
    stack.push(element);
    const own = name.slice(name.indexOf(":") + 1);
    const parent = paths.at(-1);
    const path = parent === undefined ? own : `${parent}/${own}`;
    paths.push(path);
    open?.(path, element);
  };
  const add = (more: string) => {
    const element = stack.at(-1);
    if (element && element.text.length < TEXT_MAX) element.text += printable(more);
  };
  parser.ontext = add;
  parser.oncdata = add;
  parser.onclosetag = () => {
    const [path, element] = [paths.pop(), stack.pop()];
    if (path !== undefined && element) close(path, element);
  };
  parser.write(text).close();
}
