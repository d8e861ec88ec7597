// Answers that are large, or the first of their kind, which have to be made.
import {MAPS, YAML, configMap, listOf, one, type LargeRequest} from './request.ts';

/** Answers that are large, or the first of their kind. */
export function answers(): readonly LargeRequest[] {
  const small = (n: number) =>
    JSON.stringify(configMap(`small-${n}`, {a: 'b'}, {metadata: {name: `small-${n}`, labels: {a: 'b'}}}));
  return [
    {
      name: 'OpenAPI v2 in protobuf, first',
      method: 'GET',
      path: '/openapi/v2',
      accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      bodies: one(''),
    },
    {name: 'OpenAPI v2 in JSON, first', method: 'GET', path: '/openapi/v2', bodies: one('')},
    {name: 'OpenAPI v3 of core, first', method: 'GET', path: '/openapi/v3/api/v1', bodies: one('')},
    {name: 'OpenAPI v3 of apps, first', method: 'GET', path: '/openapi/v3/apis/apps/v1', bodies: one('')},
    {
      name: 'discovery',
      method: 'GET',
      path: '/apis',
      accept: 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList',
      bodies: one(''),
    },
    {name: '5,000 objects', method: 'POST', path: MAPS, bodies: () => listOf(5000, small)},
    {name: 'their list', method: 'GET', path: `${MAPS}?labelSelector=a=b`, bodies: one('')},
    {name: 'their list as YAML', method: 'GET', path: `${MAPS}?labelSelector=a=b`, accept: YAML, bodies: one('')},
    {
      name: 'their list as a table',
      method: 'GET',
      path: `${MAPS}?labelSelector=a=b`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {
      name: 'their metadata',
      method: 'GET',
      path: `${MAPS}?labelSelector=a=b`,
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {
      name: 'a watch that begins with them',
      method: 'GET',
      path: `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1`,
      bodies: one(''),
    },
    {
      name: 'a watch of tables that begins with them',
      method: 'GET',
      path: `${MAPS}?watch=1&timeoutSeconds=1`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {name: 'a dry deletecollection of 5,000', method: 'DELETE', path: `${MAPS}?dryRun=All&labelSelector=a=b`, bodies: one('')},
    {name: 'a deletecollection of 5,000', method: 'DELETE', path: `${MAPS}?labelSelector=a=b`, bodies: one('')},
    {name: 'metrics', method: 'GET', path: '/metrics', accept: 'text/plain', bodies: one('')},
  ];
}
