// The expand controller: notes which bound claims want to grow. Nobody inside the control plane makes volumes grow any more, so it
// says that somebody outside has to.
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Controller} from '../context.ts';

const claims = builtin('persistentvolumeclaims');

/** Says what claims that want to grow wait for. */
export const volumeExpanderController: Controller = {
  name: 'persistentvolume-expander-controller',
  account: 'expand-controller',
  component: 'volume_expand',
  start: ({informers, recorder, queue}) => {
    const informer = informers.of<PersistentVolumeClaim>(claims);
    const growing = queue({
      reconcile: key => {
        const claim = informer.get(key);
        if (!claim || !wantsToGrow(claim)) return;
        const message = 'waiting for an external controller to expand this PVC';
        recorder.record(claim, {type: 'Normal', reason: 'ExternalExpanding', message});
      },
    });
    const look = (claim: PersistentVolumeClaim): void => {
      if (wantsToGrow(claim)) growing.add(keyOf(claim));
    };
    informer.on({added: look, updated: look});
  },
};

function wantsToGrow({spec, status}: PersistentVolumeClaim): boolean {
  const wanted = spec?.resources?.requests?.['storage'];
  const has = status?.capacity?.['storage'];
  return status?.phase === 'Bound' && wanted !== undefined && has !== undefined && compareQuantities(wanted, has) > 0;
}
