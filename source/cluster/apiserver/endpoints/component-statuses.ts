// ComponentStatuses: a view of the control plane that is made when somebody asks. The server asks etcd itself, and the scheduler and
// controller manager on its own machine.
import type {AnyObject} from '../../../api/meta/object.ts';
import {notFound} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {passOn} from '../http/pass.ts';
import {refuse, Refused} from '../http/refused.ts';
import {showList, showObject} from '../http/show.ts';
import type {Handler} from './asked.ts';
import {etcdHealthy} from './health.ts';
import {showingOf} from './verbs.ts';

const COMPONENTS = [
  {name: 'etcd-0', port: 0},
  {name: 'scheduler', port: 10_259},
  {name: 'controller-manager', port: 10_257},
];

export const componentStatuses: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const {core, info} = asked;
  const wanted = COMPONENTS.filter(each => info.name === '' || each.name === info.name);
  const found: AnyObject[] = [];
  for (const component of wanted) found.push(yield* look(core, component));
  if (info.name === '') return showList(showing, found, {resourceVersion: ''});
  const [one] = found;
  return one ? showObject(showing, 200, one) : refuse(notFound(asked.served.facts, info.name));
};

function* look(core: Core, component: {name: string; port: number}): Task<AnyObject> {
  const {port, name} = component;
  const problem = port === 0 ? ((yield* etcdHealthy(core)) ? '' : 'context deadline exceeded') : yield* probe(core, port);
  const condition =
    problem === '' ? {type: 'Healthy', status: 'True', message: 'ok'} : {type: 'Healthy', status: 'False', message: problem};
  return {apiVersion: 'v1', kind: 'ComponentStatus', metadata: {name}, conditions: [condition]} as unknown as AnyObject;
}

function* probe(core: Core, port: number): Task<string> {
  const passed = yield* passOn(
    core.daemon,
    {method: 'GET', scheme: 'https', path: '/healthz'},
    {target: {host: '127.0.0.1', port}, stream: undefined},
  );
  if (passed === undefined) return '';
  if ('failure' in passed) return `Get "https://127.0.0.1:${port}/healthz": ${passed.failure}`;
  return passed.answer.status === 200 ? '' : String(passed.answer.body);
}
