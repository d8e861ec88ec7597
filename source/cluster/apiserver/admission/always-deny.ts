// AlwaysDeny: nothing is written any more. (AlwaysAdmit, which flags may name too, is the absence of this.)
import {forbidden} from '../../../api/meta/status.ts';
import {refuse} from '../http/refused.ts';
import type {Plugin} from './plugin.ts';
import {shownName} from './pod-object.ts';

export const alwaysDeny: Plugin = {
  name: 'AlwaysDeny',
  optional: true,
  resources: ['*'],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  subresources: ['*'],
  validate({write, object, old}) {
    const named = object ?? old;
    const name = write.info.name || (named ? shownName(named) : '');
    return refuse(forbidden(write.served.facts, name, 'admission control is denying all modifications'));
  },
};
