// The schemas that the server publishes (OpenAPI v3), as far as `explain` walks them. Kinds of one's own are in them like all others.
import {isFields} from '../../../api/meta/fields.ts';
import {fail, Failure} from '../../failure.ts';
import {apiVersionOf, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';

/** One node of a published schema. */
export interface Node {
  readonly $ref?: string;
  readonly allOf?: readonly Node[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
}

/** The document of one version of a group. */
export class Schemas {
  readonly #schemas: Readonly<Record<string, Node>>;

  constructor(schemas: Readonly<Record<string, Node>>) {
    this.#schemas = schemas;
  }

  /** The schema of a kind. */
  of({group, version, kind}: KindInfo): Node | undefined {
    return Object.values(this.#schemas).find(schema => {
      const kinds = (schema as Record<string, unknown>)['x-kubernetes-group-version-kind'];
      return (
        Array.isArray(kinds) &&
        kinds.some(one => isFields(one) && one['group'] === group && one['version'] === version && one['kind'] === kind)
      );
    });
  }

  /** The name of what a node refers to. */
  nameOf(node: Node): string | undefined {
    const ref = node.$ref ?? node.allOf?.find(part => part.$ref !== undefined)?.$ref;
    return ref?.slice(ref.lastIndexOf('/') + 1);
  }

  /** The node itself, or what it refers to; what it says of its own goes before. */
  resolve(node: Node): Node {
    const name = this.nameOf(node);
    const target = name === undefined ? undefined : this.#schemas[name];
    if (!target) return node;
    const {description} = node;
    return description === undefined || description === '' ? target : {...target, description};
  }

  /** What a node is made of: what it refers to, or what it is a list or a map of. */
  next(node: Node): Node | undefined {
    const name = this.nameOf(node);
    if (name !== undefined) return this.#schemas[name];
    const values = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
    return node.items ?? (node.properties ? undefined : values);
  }

  /** What lists and maps hold in the end. */
  inside(node: Node): Node {
    let at = this.resolve(node);
    for (;;) {
      const values = typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined;
      const next = at.items ?? (at.properties ? undefined : values);
      if (!next) return at;
      at = this.resolve(next);
    }
  }

  /** `string`, `[]Container`, `map[string]Quantity`. */
  typeText(node: Node): string {
    const name = this.nameOf(node);
    const at = this.resolve(node);
    if (at.type === 'array') return `[]${at.items ? this.typeText(at.items) : 'Object'}`;
    if (at.type !== undefined && at.type !== 'object') return at.type;
    if (name !== undefined) return name.slice(name.lastIndexOf('.') + 1);
    if (typeof at.additionalProperties === 'object') return `map[string]${this.typeText(at.additionalProperties)}`;
    return 'Object';
  }
}

/** Asks for the schemas of a kind's group and version. */
export async function schemasFor(session: Session, kind: KindInfo): Promise<Schemas | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const index = await session.schemaIndex();
  if (index instanceof Failure) return index;
  const place = kind.group === '' ? `api/${kind.version}` : `apis/${apiVersionOf(kind)}`;
  const paths = isFields(index) && isFields(index['paths']) ? index['paths'] : {};
  const entry = paths[place];
  if (!isFields(entry) || typeof entry['serverRelativeURL'] !== 'string')
    return fail(`couldn't find resource for "${kind.group}/${kind.version}, Resource=${kind.resource}"`);
  const [path = '', search = ''] = entry['serverRelativeURL'].split('?');
  const query = Object.fromEntries(
    search
      .split('&')
      .filter(part => part !== '')
      .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
  const document = await api.ask({method: 'GET', path, query});
  if (document instanceof Failure) return document;
  const components = isFields(document) && isFields(document['components']) ? document['components'] : {};
  return new Schemas((isFields(components['schemas']) ? components['schemas'] : {}) as Readonly<Record<string, Node>>);
}
