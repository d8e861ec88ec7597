// `-o go-template`: what a Go template makes of an object.
import type {AnyObject} from '../../api/meta/object.ts';
import {goQuote} from '../../api/meta/go-text.ts';
import {fail, Failure} from '../failure.ts';
import {runTemplate} from '../../api/go-template/execute.ts';
import {parseTemplate} from '../../api/go-template/parse.ts';
import {valueText} from '../../api/go-template/values.ts';
import {compactJson} from './json.ts';
import type {Session} from '../session.ts';

/** The printer of a template, or of a file that holds one. */
export function templatePrinter(
  session: Session,
  format: string,
  argument: string,
): ((object: AnyObject) => string | Failure) | Failure {
  if (argument === '') return fail('template format specified but no template given');
  const isFile = format.endsWith('file');
  const text = isFile ? session.process.machine.files.read(session.process.path(argument)) : argument;
  if (text === undefined) return fail(`error reading --template ${argument}, open ${argument}: no such file or directory\n`);
  const parsed = parseTemplate(text);
  if ('error' in parsed) return fail(`error parsing template ${text}, ${parsed.error}`);
  const strict = !session.flags.on('allow-missing-template-keys');
  return object => {
    const {output, error} = runTemplate({text, templates: parsed.templates, strict}, object);
    if (error === undefined) return output;
    // The real one prints what it had, and all that may help, before it fails.
    const help = `Error executing template: ${error}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${text}\n\traw data was:\n\t\t${compactJson(object)}\n\tobject given to template engine was:\n\t\t${valueText(object)}\n\n`;
    return new Failure({type: 'plain', message: `error executing template ${goQuote(text)}: ${error}`}, `${output}${help}`);
  };
}
