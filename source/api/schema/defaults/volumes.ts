// What volumes get.
import type {DownwardAPIVolumeFile, Volume, VolumeProjection} from '../../kinds/core-v1.ts';
import {change, each, fill} from './fill.ts';
import {pullPolicyOf} from './pull-policy.ts';

const MODE = 0o644;
const NOTHING = Object.freeze({});

/** The defaults of one volume of a pod. */
export function defaultVolume(volume: Volume): Volume {
  if (Object.keys(volume).every(key => key === 'name')) return fill(volume, {emptyDir: NOTHING});
  let out = change(volume, 'secret', source => fill(source, {defaultMode: MODE}));
  out = change(out, 'configMap', source => fill(source, {defaultMode: MODE}));
  out = change(out, 'hostPath', source => fill(source, {type: ''}));
  out = change(out, 'downwardAPI', source => change(fill(source, {defaultMode: MODE}), 'items', defaultFiles));
  out = change(out, 'projected', source =>
    change(fill(source, {defaultMode: MODE}), 'sources', list => each(list, defaultProjection)),
  );
  out = change(out, 'image', source => fill(source, {pullPolicy: pullPolicyOf(source.reference)}));
  return change(out, 'ephemeral', source =>
    change(source, 'volumeClaimTemplate', template => change(template, 'spec', spec => fill(spec, {volumeMode: 'Filesystem'}))),
  );
}

function defaultProjection(projection: VolumeProjection): VolumeProjection {
  const out = change(projection, 'serviceAccountToken', token => fill(token, {expirationSeconds: 3600}));
  return change(out, 'downwardAPI', source => change(source, 'items', defaultFiles));
}

function defaultFiles(files: readonly DownwardAPIVolumeFile[]): readonly DownwardAPIVolumeFile[] {
  return each(files, file => change(file, 'fieldRef', ref => fill(ref, {apiVersion: 'v1'})));
}
