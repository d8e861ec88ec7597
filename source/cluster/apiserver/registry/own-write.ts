// Writes that the server makes by itself, for nobody's request.
import {makeUser, type User} from '../auth/user.ts';
import type {Core} from '../core.ts';
import {readInfo} from '../http/info.ts';
import type {Served} from './served.ts';
import type {Write} from './write.ts';

const NO_REQUEST = readInfo({method: 'PUT', path: '/'});

/** Who the server is when it asks others. */
export const SELF: User = makeUser({name: 'system:apiserver', groups: ['system:masters', 'system:authenticated']});

/** A write of the server itself; it is not traced. */
export function ownWrite(core: Core, served: Served): Write {
  return {
    core,
    served,
    user: SELF,
    info: NO_REQUEST,
    subresource: '',
    dryRun: false,
    fieldValidation: 'Ignore',
    manager: 'kube-apiserver',
    warnings: [],
    note: () => undefined,
  };
}
