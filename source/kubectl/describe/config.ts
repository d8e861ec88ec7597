// The pages of config maps, secrets and service accounts.
import type {ConfigMap, Secret, ServiceAccount} from '../../api/kinds/core-v1.ts';
import type {Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels, sortedEntries} from './maps.ts';

function bytesOf(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}

export const describeConfigMap: Describer = async (object, around) => {
  const {metadata, data, binaryData} = object as unknown as ConfigMap;
  const lines = new Lines();
  addHead(lines, metadata);
  lines.raw('\nData\n====\n');
  for (const [key, text] of sortedEntries(data)) lines.raw(`${key}:\n----\n${text}\n\n`);
  lines.raw('\nBinaryData\n====\n');
  for (const [key, text] of sortedEntries(binaryData)) lines.raw(`${key}: ${bytesOf(text)} bytes\n`);
  lines.raw('\n');
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeSecret: Describer = async object => {
  const {metadata, data, type} = object as unknown as Secret;
  const lines = new Lines();
  addHead(lines, metadata);
  lines.raw(`\nType:\t${type ?? ''}\n\nData\n====\n`);
  const isToken = type === 'kubernetes.io/service-account-token';
  for (const [key, text] of sortedEntries(data)) {
    lines.raw(
      isToken && key === 'token'
        ? `${key}:\t${Buffer.from(text, 'base64').toString('utf8')}\n`
        : `${key}:\t${bytesOf(text)} bytes\n`,
    );
  }
  return lines.text();
};

export const describeServiceAccount: Describer = async (object, around) => {
  const {metadata, imagePullSecrets} = object as unknown as ServiceAccount;
  const lines = new Lines();
  addHead(lines, metadata);
  const names = (imagePullSecrets ?? []).map(({name = ''}) => name);
  for (const [index, name] of (names.length === 0 ? ['<none>'] : names).entries())
    lines.raw(`${index === 0 ? 'Image pull secrets:' : ' '.repeat(19)}\t${name}\n`);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addHead(lines: Lines, metadata: ConfigMap['metadata']): void {
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
}
