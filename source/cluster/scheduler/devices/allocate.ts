// Which devices a claim gets on a node. Requests are served in order, each with the first devices that fit; when a later request
// finds none, the earlier ones try their next devices (depth first, with a bound on steps). A request with alternatives takes the
// first one that works.
//
//     claim: gpu ×2 of one vendor; devices a (v1), b (v2), c (v1): a, then b breaks the constraint, then c: a and c
//
// Not modelled, since their gates are off: taints, shared counters, sharing by capacity, binding conditions.
import type {
  Device,
  DeviceAttribute,
  DeviceClass,
  DeviceConstraint,
  DeviceRequestAllocationResult,
  DeviceSelector,
  ResourceClaim,
} from '../../../api/kinds/resource-v1.ts';

/** A device with its place. */
export interface PlacedDevice {
  readonly device: Device;
  readonly driver: string;
  readonly pool: string;
  /** `driver/pool/name`. */
  readonly id: string;
}

/** What an allocation is worked out from. */
export interface Offer {
  readonly devices: readonly PlacedDevice[];
  readonly isTaken: (id: string) => boolean;
  readonly classOf: (name: string) => DeviceClass | undefined;
  readonly selects: (selectors: readonly DeviceSelector[], device: PlacedDevice) => boolean;
}

/** What one request wants; alternatives of a request are several of these. */
interface Wish {
  readonly name: string;
  readonly count: number;
  readonly all: boolean;
  readonly adminAccess: boolean;
  readonly className: string;
  readonly selectors: readonly DeviceSelector[];
}

type Chosen = readonly {readonly wish: Wish; readonly placed: PlacedDevice}[];

const MOST_STEPS = 10_000;

/** The devices for some claims together, by the claim; undefined when there are not enough. */
export function allocate(
  claims: readonly ResourceClaim[],
  offer: Offer,
): ReadonlyMap<ResourceClaim, readonly DeviceRequestAllocationResult[]> | undefined {
  const used = new Set<string>();
  const results = new Map<ResourceClaim, readonly DeviceRequestAllocationResult[]>();
  for (const claim of claims) {
    const chosen = new Search(claim, offer, used).run();
    if (!chosen) return undefined;
    for (const {placed, wish} of chosen) if (!wish.adminAccess) used.add(placed.id);
    results.set(claim, chosen.map(resultOf));
  }
  return results;
}

function resultOf({wish, placed}: Chosen[number]): DeviceRequestAllocationResult {
  const {driver, pool, device} = placed;
  return {request: wish.name, driver, pool, device: device.name, ...(wish.adminAccess ? {adminAccess: true} : {})};
}

/** The search for one claim. */
class Search {
  readonly #requests: readonly (readonly Wish[])[];
  readonly #constraints: readonly DeviceConstraint[];
  readonly #offer: Offer;
  readonly #used: ReadonlySet<string>;
  #steps = 0;

  constructor({spec}: ResourceClaim, offer: Offer, used: ReadonlySet<string>) {
    this.#requests = (spec.devices?.requests ?? []).map(({name, exactly, firstAvailable = []}) =>
      exactly ? [wishOf(name, exactly)] : firstAvailable.map(each => wishOf(`${name}/${each.name}`, each)),
    );
    this.#constraints = spec.devices?.constraints ?? [];
    this.#offer = offer;
    this.#used = used;
  }

  run(): Chosen | undefined {
    return this.#serve(0, []);
  }

  #serve(index: number, chosen: Chosen): Chosen | undefined {
    const wishes = this.#requests[index];
    if (!wishes) return chosen;
    for (const wish of wishes) {
      const fit = this.#offer.devices.filter(placed => this.#fits(wish, placed));
      const found = wish.all
        ? this.#takeAll(index, {wish, fit}, chosen)
        : this.#take(index, {wish, fit, from: 0, left: wish.count}, chosen);
      if (found) return found;
    }
    return undefined;
  }

  #takeAll(
    index: number,
    {wish, fit}: {readonly wish: Wish; readonly fit: readonly PlacedDevice[]},
    chosen: Chosen,
  ): Chosen | undefined {
    const all = [...chosen, ...fit.map(placed => ({wish, placed}))];
    const free = fit.every(placed => wish.adminAccess || this.#isFree(placed, chosen));
    return fit.length > 0 && free && this.#agree(all) ? this.#serve(index + 1, all) : undefined;
  }

  #take(
    index: number,
    at: {readonly wish: Wish; readonly fit: readonly PlacedDevice[]; readonly from: number; readonly left: number},
    chosen: Chosen,
  ): Chosen | undefined {
    const {wish, fit, from, left} = at;
    if (left === 0) return this.#serve(index + 1, chosen);
    for (let i = from; i < fit.length; i++) {
      const placed = fit[i];
      if (!placed || ++this.#steps > MOST_STEPS) return undefined;
      if (!wish.adminAccess && !this.#isFree(placed, chosen)) continue;
      const more = [...chosen, {wish, placed}];
      const found = this.#agree(more) ? this.#take(index, {wish, fit, from: i + 1, left: left - 1}, more) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #fits(wish: Wish, placed: PlacedDevice): boolean {
    const {classOf, selects} = this.#offer;
    const deviceClass = classOf(wish.className);
    return deviceClass !== undefined && selects(deviceClass.spec.selectors ?? [], placed) && selects(wish.selectors, placed);
  }

  #isFree({id}: PlacedDevice, chosen: Chosen): boolean {
    return (
      !this.#used.has(id) && !this.#offer.isTaken(id) && !chosen.some(each => each.placed.id === id && !each.wish.adminAccess)
    );
  }

  /** Do all devices under a constraint have the attribute, with one value? */
  #agree(chosen: Chosen): boolean {
    return this.#constraints.every(({matchAttribute, requests = []}) => {
      if (matchAttribute === undefined) return true;
      const covered = chosen.filter(({wish}) => {
        return requests.length === 0 || requests.some(name => wish.name === name || wish.name.startsWith(`${name}/`));
      });
      const values = new Set(covered.map(({placed}) => textOf(attributeOf(placed, matchAttribute))));
      return values.size <= 1 && !values.has(undefined);
    });
  }
}

interface AnyRequest {
  readonly allocationMode?: string;
  readonly count?: number;
  readonly adminAccess?: boolean;
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
}

function wishOf(
  name: string,
  {allocationMode, count = 1, adminAccess = false, deviceClassName, selectors = []}: AnyRequest,
): Wish {
  return {name, count, all: allocationMode === 'All', adminAccess, className: deviceClassName, selectors};
}

/** An attribute by its full name; one without a domain is of its driver's. */
function attributeOf({device, driver}: PlacedDevice, name: string): DeviceAttribute | undefined {
  const attributes = device.attributes ?? {};
  return attributes[name] ?? (name.startsWith(`${driver}/`) ? attributes[name.slice(driver.length + 1)] : undefined);
}

function textOf(attribute: DeviceAttribute | undefined): string | undefined {
  return attribute && JSON.stringify(attribute);
}
