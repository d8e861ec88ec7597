// The start objects were read off one cluster; here they are fitted to this one.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Settings} from '../settings.ts';

const RECORDED_ADDRESS = '10.0.0.10';

/** The object for this cluster; undefined for what others make: config maps of the controllers, leases. */
export function localObject(settings: Settings, object: AnyObject): AnyObject | undefined {
  const {kind, metadata} = object;
  if (kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt') return undefined;
  if (kind === 'Lease' || kind === 'ServiceAccount') return undefined;
  if (kind !== 'Endpoints' && kind !== 'EndpointSlice') return object;
  return JSON.parse(JSON.stringify(object).replaceAll(RECORDED_ADDRESS, settings.advertiseAddress)) as AnyObject;
}
