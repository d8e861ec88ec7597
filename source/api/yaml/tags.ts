// Which words of YAML are more than texts, where Go reads them.
import {Document, type ScalarTag, type Tags} from 'yaml';
import type {Words} from './quick.ts';

/** Go's numbers: without dates and times of day, which stay text, and with fractions that need a digit (`.` is text). */
export function goTags(tags: Tags): Tags {
  const kept = tags.filter(tag => {
    if (typeof tag === 'string') return true;
    if (tag.tag.endsWith(':timestamp') || tag.format === 'TIME') return false;
    return !tag.tag.endsWith(':float') || isInfinity(tag);
  });
  return [...kept, GO_FLOAT];
}

/** The same, with two truth values. */
export function plainTags(tags: Tags): Tags {
  return [...goTags(tags).filter(tag => typeof tag === 'string' || !tag.tag.endsWith(':bool')), PLAIN_BOOL];
}

const PLAIN_BOOL: ScalarTag = {
  identify: value => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:true|True|TRUE|false|False|FALSE)$/,
  resolve: text => text.toLowerCase() === 'true',
};

function isInfinity(tag: {readonly test?: RegExp}): boolean {
  return tag.test?.test('.inf') === true;
}

const GO_FLOAT: ScalarTag = {
  identify: value => typeof value === 'number',
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$/,
  resolve: text => Number(text.replaceAll('_', '')),
};

/** What is more than a text, as the server and kubectl read it. */
export const goScalars = scalarsOf(goTags);
/** The same as kustomize reads it. */
export const plainScalars = scalarsOf(plainTags);

/** The scalars that are not just texts, by the tags of a language; asked for when the first is read. */
function scalarsOf(customTags: (tags: Tags) => Tags): () => Words {
  let words: Words | undefined;
  return () =>
    (words ??= {
      tags: new Document(null, {version: '1.1', customTags}).schema.tags.filter(
        (tag): tag is ScalarTag => tag.default === true && 'test' in tag,
      ),
    });
}
