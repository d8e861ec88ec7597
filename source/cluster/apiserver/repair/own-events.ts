// Events of the server's own controllers: written without a request, for there is nobody to ask.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Request} from '../../../api/wire/http.ts';
import {SeriesRecorder} from '../../../client/series-events.ts';
import type {Core} from '../core.ts';
import {readInfo} from '../http/info.ts';
import {createObject} from '../registry/create.ts';
import {ownWrite} from '../registry/own-write.ts';
import {updateObject} from '../registry/update-internal.ts';

/** The recorder of one controller inside of the server. */
export function ownRecorder(core: Core, controller: string): SeriesRecorder {
  const {daemon} = core;
  return new SeriesRecorder({daemon, send: request => daemon.scope.run(write(core, request))}, controller);
}

function* write(core: Core, request: Request) {
  const info = readInfo(request);
  const served = core.resources.find(info.group, info.version, info.resource);
  if (!served?.conversion) return;
  const own = {...ownWrite(core, served), info};
  const body = request.body as AnyObject;
  if (request.method === 'POST') yield* createObject(own, served.conversion.write(body, undefined));
  else yield* updateObject(own, {namespace: info.namespace, name: info.name, change: old => ({...old, ...body})});
}
