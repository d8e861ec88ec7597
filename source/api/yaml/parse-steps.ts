// All of YAML, by the library, in steps: its parts are taken one by one as its own function for one document does.
import {Composer, Document, Lexer, Parser, type CST, type LineCounter} from 'yaml';

/** Signs that are taken in one go. */
const A_GO = 5000;

/** How a text is to be read. */
export type ParseOptions = ConstructorParameters<typeof Composer>[0] & {readonly lineCounter: LineCounter};

/** What the library's own function for one document does, with stops. */
export function* parseInSteps(text: string, options: ParseOptions): Generator<void, Document.Parsed> {
  const {lineCounter} = options;
  const parser = new Parser(lineCounter.addNewLine);
  const composer = new Composer(options);
  const tokens: CST.Token[] = [];
  lineCounter.addNewLine(0);
  let signs = 0;
  for (const sign of new Lexer().lex(text)) {
    for (const token of parser.next(sign)) tokens.push(token);
    if (++signs % A_GO === 0) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  yield;
  const [document = new Document(null)] = composer.compose(tokens, true, text.length);
  for (const error of document.errors) {
    const [start, end] = error.pos;
    if (start >= 0) error.linePos = [lineCounter.linePos(start), lineCounter.linePos(end)];
  }
  return document as Document.Parsed;
}
