// Names for the parts of the syntax tree that the parser gives (just-bash's, which exports but a few of them).
import type {CommandNode, SimpleCommandNode, StatementNode, WordNode} from 'just-bash';

export type {CommandNode, PipelineNode, ScriptNode, SimpleCommandNode, StatementNode, WordNode} from 'just-bash';

export type NodeOf<T extends CommandNode['type']> = Extract<CommandNode, {type: T}>;
export type WordPart = WordNode['parts'][number];
export type PartOf<T extends WordPart['type']> = Extract<WordPart, {type: T}>;
export type Redirection = SimpleCommandNode['redirections'][number];
export type Assignment = SimpleCommandNode['assignments'][number];
export type ParameterPart = PartOf<'ParameterExpansion'>;
export type Operation = NonNullable<ParameterPart['operation']>;
export type OperationOf<T extends Operation['type']> = Extract<Operation, {type: T}>;
export type BraceItem = PartOf<'BraceExpansion'>['items'][number];
export type Condition = NodeOf<'ConditionalCommand'>['expression'];
export type Arithmetic = PartOf<'ArithmeticExpansion'>['expression'];
export type FunctionNode = NodeOf<'FunctionDef'>;
export type Statements = readonly StatementNode[];
