// A function as `declare -f` and `type` print it: bash writes it anew from its tree, with four spaces a level.
import {serializeScript} from './text.ts';
import type {CommandNode, FunctionNode, PipelineNode, StatementNode, Statements} from './tree.ts';

/** The text of a function. */
export function functionText(name: string, node: FunctionNode): string {
  const body = node.body.type === 'Group' ? node.body.body : [statementOf(node.body)];
  return `${name} () \n{ \n${listText(body, 1)}\n}`;
}

function statementOf(command: CommandNode): StatementNode {
  const pipeline: PipelineNode = {type: 'Pipeline', commands: [command], negated: false};
  return {type: 'Statement', pipelines: [pipeline], operators: [], background: false};
}

function indent(level: number): string {
  return ' '.repeat(level * 4);
}

function listText(statements: Statements, level: number): string {
  return statements
    .map((statement, index) => {
      const isLast = index === statements.length - 1;
      return `${indent(level)}${statementText(statement, level)}${statement.background ? ' &' : isLast ? '' : ';'}`;
    })
    .join('\n');
}

function statementText(statement: StatementNode, level: number): string {
  return statement.pipelines
    .map((pipeline, index) => (index === 0 ? '' : ` ${statement.operators[index - 1]} `) + pipelineText(pipeline, level))
    .join('');
}

function pipelineText(pipeline: PipelineNode, level: number): string {
  const commands = pipeline.commands.map(command => commandText(command, level));
  return `${pipeline.negated ? '! ' : ''}${commands.join(' | ')}`;
}

function commandText(command: CommandNode, level: number): string {
  const inner = (statements: Statements): string => listText(statements, level + 1);
  switch (command.type) {
    case 'If': {
      const clauses = command.clauses.map(
        (clause, index) =>
          `${index === 0 ? 'if' : `${indent(level)}elif`} ${oneLine(clause.condition, level)}; then\n${inner(clause.body)};\n`,
      );
      const rest = command.elseBody ? `${indent(level)}else\n${inner(command.elseBody)};\n` : '';
      return `${clauses.join('')}${rest}${indent(level)}fi`;
    }
    case 'While':
    case 'Until':
      return `${command.type.toLowerCase()} ${oneLine(command.condition, level)}; do\n${inner(command.body)};\n${indent(level)}done`;
    case 'Group':
      return `{ \n${inner(command.body)}\n${indent(level)}}`;
    case 'Subshell':
      return `( ${oneLine(command.body, level)} )`;
    case 'For': {
      const head = serializeScript({type: 'Script', statements: [statementOf({...command, body: []})]}).split(/;|\n/)[0] ?? '';
      return `${head.trim()};\n${indent(level)}do\n${inner(command.body)};\n${indent(level)}done`;
    }
    case 'FunctionDef': {
      const body = command.body.type === 'Group' ? command.body.body : [statementOf(command.body)];
      return `function ${command.name} () \n${indent(level)}{ \n${inner(body)}\n${indent(level)}}`;
    }
    default:
      return serializeScript({type: 'Script', statements: [statementOf(command)]});
  }
}

function oneLine(statements: Statements, level: number): string {
  return statements.map(statement => statementText(statement, level)).join('; ');
}
