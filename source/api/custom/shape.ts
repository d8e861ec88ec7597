// What ownership of fields needs of a custom resource's schema; the shapes themselves are those of api/schema/ownership.
import {ANY, leaf, SET, shapeOfType, type Shape} from '../schema/ownership/shape.ts';
import {itemsOf, valuesOf, type Structural} from './structural.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const known = new WeakMap<Structural, Shape>();

/** The shape of the objects of a version. */
export function shapeOfObjects(schema: Structural): Shape {
  const before = known.get(schema);
  if (before) return before;
  const inner = shapeOfSchema(schema);
  const fieldIn = (name: string): Shape | undefined => {
    if (inner.sort === 'struct') return inner.field(name);
    return inner.sort === 'map' ? inner.of : ANY;
  };
  const made: Shape = {
    sort: 'struct',
    nulls: [],
    field: name => {
      if (name === 'metadata') return shapeOfType(META);
      return name === 'apiVersion' || name === 'kind' ? leaf('string') : fieldIn(name);
    },
  };
  known.set(schema, made);
  return made;
}

function shapeOfSchema(schema: Structural): Shape {
  if (schema['x-kubernetes-int-or-string'] === true) return leaf('scalar');
  if (schema.type === 'string') return leaf('string');
  if (schema.type === 'integer' || schema.type === 'number') return leaf('numeric');
  if (schema.type === 'boolean') return leaf('boolean');
  if (schema.type === 'array') return shapeOfList(schema);
  if (schema.type !== 'object') return ANY;
  return schema['x-kubernetes-map-type'] === 'atomic' ? leaf('map') : shapeOfMap(schema);
}

function shapeOfMap(schema: Structural): Shape {
  const values = valuesOf(schema);
  if (values !== undefined) return {sort: 'map', of: values === true ? ANY : shapeOfSchema(values)};
  const {properties} = schema;
  const keepsUnknown =
    schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-embedded-resource'] === true;
  if (!properties) return keepsUnknown ? ANY : {sort: 'map', of: ANY};
  const fields = new Map<string, Shape>();
  return {
    sort: 'struct',
    nulls: [],
    field: name => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!field) return keepsUnknown ? ANY : undefined;
      const made = fields.get(name) ?? shapeOfSchema(field);
      fields.set(name, made);
      return made;
    },
  };
}

function shapeOfList(schema: Structural): Shape {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return SET;
  const items = itemsOf(schema);
  if (type !== 'map' || !items) return leaf('list');
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map(name => ({name, otherwise: items.properties?.[name]?.default}));
  return {sort: 'keyed', keys, of: shapeOfSchema(items)};
}
