// Bootstrap tokens: `ID.SECRET`, which a Secret of kube-system vouches for as long as it is there and has not expired. Machines that
// want to join come with one.
import type {Secret} from '../../../api/kinds/core-v1.ts';
import type {FindObject} from './tokens.ts';
import {makeUser, type User} from './user.ts';

const FORM = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const TYPE = 'bootstrap.kubernetes.io/token';

/** Who a token stands for; undefined where it counts for nothing. */
export function bootstrapUser(token: string, find: FindObject, nowMs: number): User | undefined {
  const [, id = '', secret = ''] = FORM.exec(token) ?? [];
  if (id === '') return undefined;
  const found = find('secrets', `kube-system/bootstrap-token-${id}`) as unknown as Secret | undefined;
  const text = (name: string): string => Buffer.from(found?.data?.[name] ?? '', 'base64').toString('utf8');
  if (found?.type !== TYPE || found.metadata.deletionTimestamp !== undefined) return undefined;
  if (text('token-id') !== id || text('token-secret') !== secret || text('usage-bootstrap-authentication') !== 'true')
    return undefined;
  const expiration = text('expiration');
  if (expiration !== '' && !(Date.parse(expiration) > nowMs)) return undefined;
  const extra = text('auth-extra-groups').split(',').filter(Boolean);
  return makeUser({name: `system:bootstrap:${id}`, groups: ['system:bootstrappers', ...extra, 'system:authenticated']});
}
