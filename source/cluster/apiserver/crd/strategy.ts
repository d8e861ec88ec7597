// The ways of custom resources in the registry.
import {forbidden} from '../../../api/meta/status.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {CustomResourceDefinitionVersion} from '../../../api/kinds/apiextensions-v1.ts';
import {evaluate} from '../../../api/jsonpath/evaluate.ts';
import {parsePath} from '../../../api/jsonpath/parse.ts';
import {refuse} from '../http/refused.ts';
import type {FieldReader, SelectableFields} from '../http/selection.ts';
import {sameValue} from '../registry/equal.ts';
import type {Strategy} from '../strategy/strategy.ts';
import type {CustomKind} from './kind.ts';

/** How objects of a custom kind are written. */
export function customStrategy(kind: CustomKind, version: CustomResourceDefinitionVersion): Strategy {
  return {
    conditional: true,
    ...(kind.deprecation === undefined ? {} : {deprecation: kind.deprecation}),
    fields: selectableFields(version),
    create(object, write) {
      if (!kind.terminating) return {...object, metadata: {...object.metadata, generation: 1}};
      const why = 'create not allowed while custom resource definition is terminating';
      return refuse(forbidden(write.served.facts, object.metadata.name, why));
    },
    update(object, old) {
      const apart = kind.hasStatus ? new Set(['apiVersion', 'metadata', 'status']) : new Set(['apiVersion', 'metadata']);
      if (sameBut(object, old, apart) || object.metadata.generation !== old.metadata.generation) return object;
      return {...object, metadata: {...object.metadata, generation: (old.metadata.generation ?? 0) + 1}};
    },
    updateStatus(object, old) {
      const {status: _status, ...rest} = old;
      return {...rest, metadata: {...old.metadata}, ...(object.status === undefined ? {} : {status: object.status})};
    },
  };
}

function sameBut(a: AnyObject, b: AnyObject, apart: ReadonlySet<string>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every(name => apart.has(name) || sameValue(a[name], b[name]));
}

const NAMES: SelectableFields = {
  'metadata.name': object => object.metadata.name,
  'metadata.namespace': object => object.metadata.namespace ?? '',
};

function selectableFields({selectableFields: listed = []}: CustomResourceDefinitionVersion): SelectableFields {
  return {...NAMES, ...Object.fromEntries(listed.map(({jsonPath}) => [jsonPath.slice(1), fieldAt(jsonPath)]))};
}

function fieldAt(path: string): FieldReader {
  const parsed = parsePath(`{${path}}`);
  return object => {
    const found = 'error' in parsed ? undefined : evaluate(parsed.root, object);
    const value = found && 'results' in found ? found.results[0]?.[0] : undefined;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
}
