// The second edition of OpenAPI in protobuf, which is the only form in which kubectl asks for it: when it meets a kind that the third
// edition does not have (a List, a misspelt kind), it falls back to this one. A walk over the JSON document; the numbers are those
// of the messages that gnostic defines.

type Fields = Readonly<Record<string, unknown>>;

/** As the client asks for it, and as the answer is labelled. */
export const ASKED_TYPE = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
export const ANSWERED_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const known = new WeakMap<object, Uint8Array>();

/** The document in protobuf; made once. */
export function openApiTwo(document: object): Uint8Array {
  const made = known.get(document) ?? documentOf(document as Fields);
  known.set(document, made);
  return made;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** A field of bytes or text, or of a message. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function flag(number: number): Buffer {
  return Buffer.concat([varint(number * 8), varint(1)]);
}

function texts(number: number, value: unknown): Buffer[] {
  if (typeof value === 'string') return [field(number, value)];
  return Array.isArray(value) ? value.map(each => field(number, String(each))) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function named(number: number, values: unknown, encode: (value: Fields) => Buffer): Buffer[] {
  return Object.entries(fieldsOf(values)).map(([name, value]) =>
    field(number, Buffer.concat([field(1, name), field(2, encode(fieldsOf(value)))])),
  );
}

/** Anything, as YAML (of which JSON is a part). */
function any(value: unknown): Buffer {
  return field(2, `${JSON.stringify(value)}\n`);
}

function extensions(number: number, value: Fields): Buffer[] {
  return Object.entries(value)
    .filter(([name]) => name.startsWith('x-'))
    .map(([name, part]) => field(number, Buffer.concat([field(1, name), field(2, any(part))])));
}

function documentOf(document: Fields): Buffer {
  const {title, version} = fieldsOf(document['info']);
  return Buffer.concat([
    field(1, '2.0'),
    field(2, Buffer.concat([...texts(1, title), ...texts(2, version)])),
    field(8, Buffer.concat(named(2, document['paths'], pathOf))),
    field(9, Buffer.concat(named(1, document['definitions'], schemaOf))),
    field(10, Buffer.concat(named(1, document['parameters'], parameterOf))),
  ]);
}

const METHODS: Readonly<Record<string, number>> = {get: 2, put: 3, post: 4, delete: 5, patch: 8};

function pathOf(path: Fields): Buffer {
  return Buffer.concat(
    Object.entries(METHODS).flatMap(([method, number]) =>
      path[method] === undefined ? [] : [field(number, operationOf(fieldsOf(path[method])))],
    ),
  );
}

function operationOf(operation: Fields): Buffer {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  const answers = named(1, operation['responses'], answer => field(1, Buffer.concat(texts(1, answer['description']))));
  return Buffer.concat([
    ...parameters.map(each => field(8, field(2, Buffer.concat(texts(1, fieldsOf(each)['$ref']))))),
    field(9, Buffer.concat(answers)),
    ...extensions(13, operation),
  ]);
}

/** All of ours stand in the query. */
function parameterOf({name, type, description, uniqueItems}: Fields): Buffer {
  const query = [...texts(2, 'query'), ...texts(3, description), ...texts(4, name), ...texts(6, type)];
  return field(2, field(3, Buffer.concat([...query, ...(uniqueItems === true ? [flag(20)] : [])])));
}

function schemaOf(schema: Fields): Buffer {
  const {items, additionalProperties, properties, type} = schema;
  return Buffer.concat([
    ...texts(1, schema['$ref']),
    ...texts(2, schema['format']),
    ...texts(4, schema['description']),
    ...(schema['default'] === undefined ? [] : [field(5, any(schema['default']))]),
    ...texts(19, schema['required']),
    ...(Array.isArray(schema['enum']) ? schema['enum'].map(each => field(20, any(each))) : []),
    ...(additionalProperties === undefined ? [] : [field(21, field(1, schemaOf(fieldsOf(additionalProperties))))]),
    ...(type === undefined ? [] : [field(22, Buffer.concat(texts(1, type)))]),
    ...(items === undefined ? [] : [field(23, field(1, schemaOf(fieldsOf(items))))]),
    ...(properties === undefined ? [] : [field(25, Buffer.concat(named(1, properties, schemaOf)))]),
    ...extensions(31, schema),
  ]);
}
