// Maps with many keys, every way in and out, good ones and bad ones.
import {
  APPLY,
  JSON_PATCH,
  KEYS,
  MANY,
  MAPS,
  MERGE,
  STRATEGIC,
  YAML,
  configMap,
  listOf,
  mapOf,
  one,
  type LargeRequest,
} from './request.ts';

/** Maps with many keys, every way in. */
export function maps(): readonly LargeRequest[] {
  const at = `${MAPS}/wide`;
  return [
    {
      name: 'ConfigMap of 60,000 keys',
      method: 'POST',
      path: MAPS,
      needed: true,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'v'),
        ),
      ),
    },
    {
      name: 'the same put, all changed',
      method: 'PUT',
      path: at,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'w'),
        ),
      ),
    },
    {name: 'the same patched (merge)', method: 'PATCH', path: at, type: MERGE, bodies: one({data: mapOf(KEYS, () => 'x')})},
    {
      name: 'the same patched (strategic)',
      method: 'PATCH',
      path: at,
      type: STRATEGIC,
      bodies: one({data: mapOf(KEYS, () => 'y')}),
    },
    {
      name: 'the same patched (JSON)',
      method: 'PATCH',
      path: at,
      type: JSON_PATCH,
      bodies: one(listOf(9_000, n => ({op: 'replace', path: `/data/k${n}`, value: 'z'}))),
    },
    {
      name: 'the same applied, JSON',
      method: 'PATCH',
      path: `${at}?fieldManager=a&force=true`,
      type: APPLY,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'a'),
        ),
      ),
    },
    {
      name: 'the same applied, in conflict',
      method: 'PATCH',
      path: `${at}?fieldManager=b`,
      type: APPLY,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'b'),
        ),
      ),
    },
    {name: 'the same read', method: 'GET', path: at, bodies: one('')},
    {name: 'the same read, pretty', method: 'GET', path: `${at}?pretty=1`, bodies: one('')},
    {name: 'the same read as YAML', method: 'GET', path: at, accept: YAML, bodies: one('')},
    {name: 'the same listed', method: 'GET', path: MAPS, bodies: one('')},
    {name: 'the same deleted', method: 'DELETE', path: at, bodies: one('')},
    {
      name: 'ConfigMap of 60,000 wrong keys',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'bad',
          mapOf(
            KEYS,
            () => 'v',
            n => `k ${n}`,
          ),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 wrong values',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'bad',
          mapOf(KEYS, n => n),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 unknown fields',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'unknown',
          {},
          mapOf(KEYS, () => 1),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 keys twice',
      method: 'POST',
      path: MAPS,
      bodies: one(
        JSON.stringify(
          configMap(
            'twice',
            mapOf(KEYS, () => 'v'),
          ),
        ).replace(/"k(\d+)":"v"/g, '"k$1":"v","k$1":"v"'),
      ),
    },
    {
      name: 'Secret of 60,000 keys',
      method: 'POST',
      path: '/api/v1/namespaces/default/secrets',
      bodies: one({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'wide'}, data: mapOf(KEYS, () => 'YWJj')}),
    },
    {
      name: 'ConfigMap of 60,000 labels',
      method: 'POST',
      path: MAPS,
      bodies: one({...configMap('labels', {}), metadata: {name: 'labels', labels: mapOf(KEYS, () => 'v')}}),
    },
    {
      name: 'ConfigMap of 60,000 wrong labels',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('labels', {}),
        metadata: {
          name: 'labels',
          labels: mapOf(
            KEYS,
            () => '-',
            n => `-${n}`,
          ),
        },
      }),
    },
    {
      name: 'ConfigMap of 60,000 finalizers',
      method: 'POST',
      path: MAPS,
      bodies: one({...configMap('f', {}), metadata: {name: 'f', finalizers: listOf(KEYS, n => `a.b/c${n}`)}}),
    },
    {
      name: 'ConfigMap of 20,000 owners',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('owned', {}),
        metadata: {
          name: 'owned',
          ownerReferences: listOf(20_000, n => ({apiVersion: 'v1', kind: 'Pod', name: 'a', uid: `u${n}`})),
        },
      }),
    },
    {
      name: 'ConfigMap of 10,000 managers',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('managed', {}),
        metadata: {
          name: 'managed',
          managedFields: listOf(MANY, n => ({
            manager: `m${n}`,
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: {'f:data': {[`f:k${n}`]: {}}},
          })),
        },
      }),
    },
  ];
}
