// The row of a CustomResourceDefinition.
import type {CustomResourceDefinition} from '../kinds/apiextensions-v1.ts';
import {type Cell, createdAt} from './cells.ts';

/** Name, Created At. */
export function customResourceDefinitionRow(definition: CustomResourceDefinition): readonly Cell[] {
  return [definition.metadata.name, createdAt(definition)];
}
