// The start objects were read off one cluster; here they are fitted to this one: its address, its authority, its time.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Settings} from '../settings.ts';

const RECORDED_ADDRESS = '10.0.0.10';
const RECORDED_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const RECORDED_DAY = /"\d{4}-\d\d-\d\d"/g;
const RECORDED_AUTHORITY = '<PEM>';

/** The object for this cluster; undefined for what others make: config maps of the controllers, leases. */
export function localObject(settings: Settings, object: AnyObject, now: string): AnyObject | undefined {
  const {kind, metadata} = object;
  if (kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt') return undefined;
  if (kind === 'Lease' || kind === 'ServiceAccount') return undefined;
  const recorded = JSON.stringify(object);
  const authority = JSON.stringify(settings.authorityText).slice(1, -1);
  const local = recorded
    .replaceAll(RECORDED_TIME, now)
    .replaceAll(RECORDED_DAY, `"${now.slice(0, 10)}"`)
    .replaceAll(RECORDED_AUTHORITY, () => authority)
    .replaceAll(
      RECORDED_ADDRESS,
      kind === 'Endpoints' || kind === 'EndpointSlice' ? settings.advertiseAddress : RECORDED_ADDRESS,
    );
  return local === recorded ? object : (JSON.parse(local) as AnyObject);
}
