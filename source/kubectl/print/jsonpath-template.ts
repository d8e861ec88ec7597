// A JSONPath template that is filled in: what `-o jsonpath=…` prints.
import {goQuote} from '../../api/meta/go-text.ts';
import {fail, type Failure} from '../failure.ts';
import {indentedJson} from './json.ts';
import {evaluate} from '../../api/jsonpath/evaluate.ts';
import {goSyntax} from '../../api/jsonpath/go-syntax.ts';
import type {ListNode} from '../../api/jsonpath/nodes.ts';
import {valueText} from '../../api/jsonpath/value-text.ts';

/** The text of a template for an object, or what kubectl says when it cannot be filled in. */
export function fillTemplate(
  template: {readonly text: string; readonly root: ListNode},
  data: unknown,
  options: {asJson: boolean; strict?: boolean},
): string | Failure {
  const found = evaluate(template.root, data, options.strict);
  if ('results' in found) return found.results.map(values => valuesText(values, options.asJson)).join('');
  return fail(
    `error executing jsonpath ${goQuote(template.text)}: Error executing template: ${found.error}. Printing more information for debugging the template:\n` +
      `\ttemplate was:\n\t\t${template.text}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(data)}\n\n\n`,
  );
}

function valuesText(values: readonly unknown[], asJson: boolean): string {
  return asJson ? `${indentedJson(values)}\n` : values.map(valueText).join(' ');
}
