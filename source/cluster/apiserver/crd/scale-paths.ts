// Where a custom resource keeps its replicas.
import type {CustomResourceSubresourceScale} from '../../../api/kinds/apiextensions-v1.ts';
import {isFields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';

/** Reads and writes what a Scale shows. */
export interface ScalePaths {
  replicas(object: AnyObject): number | undefined;
  current(object: AnyObject): number;
  selector(object: AnyObject): string;
  withReplicas(object: AnyObject, replicas: number): AnyObject;
}

/** The paths of a definition. */
export function scalePaths({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath,
}: CustomResourceSubresourceScale): ScalePaths {
  const spec = steps(specReplicasPath);
  const status = steps(statusReplicasPath);
  const label = labelSelectorPath ? steps(labelSelectorPath) : undefined;
  const numberAt = (object: AnyObject, path: readonly string[]): number | undefined => {
    const found = at(object, path);
    return typeof found === 'number' ? found : undefined;
  };
  return {
    replicas: object => numberAt(object, spec),
    current: object => numberAt(object, status) ?? 0,
    selector: object => {
      const found = label && at(object, label);
      return typeof found === 'string' ? found : '';
    },
    withReplicas: (object, replicas) => put(object, spec, replicas) as AnyObject,
  };
}

function steps(path: string): readonly string[] {
  return path.slice(1).split('.');
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, step) => (isFields(inside) ? inside[step] : undefined), value);
}

function put(value: unknown, [step = '', ...rest]: readonly string[], replicas: number): unknown {
  const fields = isFields(value) ? value : {};
  return Object.freeze({...fields, [step]: rest.length === 0 ? replicas : put(fields[step], rest, replicas)});
}
