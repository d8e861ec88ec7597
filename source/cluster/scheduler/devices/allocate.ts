// Which devices a claim gets on a node. Requests are served in order, each with the first devices that fit; when a later request
// finds none, the earlier ones try their next devices (depth first, with a bound on steps). A request with alternatives takes the
// first one that works.
//
//     claim: gpu ×2 of one vendor; devices a (v1), b (v2), c (v1): a, then b breaks the constraint, then c: a and c
//
// A device is looked at only when its turn comes: a selector that goes wrong over one that is never reached does no harm. One that
// goes wrong ends the search, and says so.
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
  /** Do selectors take a device? A text says what went wrong when they were asked. */
  readonly selects: (selectors: readonly DeviceSelector[], device: PlacedDevice) => boolean | string;
  /** A pool some of whose slices are still to come: of it nobody can have all. */
  readonly unfinished?: string | undefined;
}

/** The devices by the claim; nothing when there are not enough; or what is wrong with a claim. */
export type Allocation =
  | ReadonlyMap<ResourceClaim, readonly DeviceRequestAllocationResult[]>
  | {readonly error: string}
  | undefined;

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
const MOST_DEVICES = 32;

/** The devices for some claims together. */
export function allocate(claims: readonly ResourceClaim[], offer: Offer): Allocation {
  const used = new Set<string>();
  const results = new Map<ResourceClaim, readonly DeviceRequestAllocationResult[]>();
  for (const claim of claims) {
    const search = new Search(claim, offer, used);
    const chosen = search.run();
    if (search.error !== undefined) return {error: search.error};
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
  readonly #claim: ResourceClaim;
  readonly #requests: readonly (readonly Wish[])[];
  readonly #constraints: readonly DeviceConstraint[];
  readonly #offer: Offer;
  readonly #used: ReadonlySet<string>;
  readonly #fitting = new Map<Wish, Map<PlacedDevice, boolean>>();
  #steps = 0;
  error: string | undefined;

  constructor(claim: ResourceClaim, offer: Offer, used: ReadonlySet<string>) {
    const {requests = [], constraints = []} = claim.spec.devices ?? {};
    this.#claim = claim;
    this.#requests = requests.map(({name, exactly, firstAvailable = []}) =>
      exactly ? [wishOf(name, exactly)] : firstAvailable.map(each => wishOf(`${name}/${each.name}`, each)),
    );
    this.#constraints = constraints;
    this.#offer = offer;
    this.#used = used;
  }

  run(): Chosen | undefined {
    const least = this.#requests.reduce((sum, wishes) => sum + Math.min(...wishes.map(wish => this.#countOf(wish))), 0);
    if (least > MOST_DEVICES)
      this.error ??= `claim ${this.#title}: number of requested devices ${least} exceeds the claim limit of ${MOST_DEVICES}`;
    return this.error === undefined ? this.#serve(0, []) : undefined;
  }

  get #title(): string {
    const {namespace = '', name} = this.#claim.metadata;
    return `${namespace}/${name}`;
  }

  /** How many devices a wish is for; of one for all, those that fit. */
  #countOf(wish: Wish): number {
    if (!wish.all) return wish.count;
    const {unfinished, devices} = this.#offer;
    if (unfinished !== undefined)
      this.error ??= `claim ${this.#title}, request ${wish.name}: asks for all devices, but resource pool ${unfinished} is currently being updated`;
    return devices.filter(placed => this.#fits(wish, placed)).length;
  }

  #serve(index: number, chosen: Chosen): Chosen | undefined {
    const wishes = this.#requests[index];
    if (!wishes) return chosen.length > MOST_DEVICES ? undefined : chosen;
    for (const wish of wishes) {
      const found = wish.all ? this.#takeAll(index, wish, chosen) : this.#take(index, {wish, from: 0, left: wish.count}, chosen);
      if (found || this.error !== undefined) return found;
    }
    return undefined;
  }

  #takeAll(index: number, wish: Wish, chosen: Chosen): Chosen | undefined {
    const fit = this.#offer.devices.filter(placed => this.#fits(wish, placed));
    const all = [...chosen, ...fit.map(placed => ({wish, placed}))];
    const free = fit.every(placed => wish.adminAccess || this.#isFree(placed, chosen));
    return fit.length > 0 && free && this.#agree(all) ? this.#serve(index + 1, all) : undefined;
  }

  #take(
    index: number,
    at: {readonly wish: Wish; readonly from: number; readonly left: number},
    chosen: Chosen,
  ): Chosen | undefined {
    const {wish, from, left} = at;
    if (left === 0) return this.#serve(index + 1, chosen);
    const {devices} = this.#offer;
    for (let i = from; i < devices.length && this.error === undefined; i++) {
      const placed = devices[i];
      if (!placed || ++this.#steps > MOST_STEPS) return undefined;
      if (!wish.adminAccess && !this.#isFree(placed, chosen)) continue;
      if (!this.#fits(wish, placed)) continue;
      const more = [...chosen, {wish, placed}];
      const found = this.#agree(more) ? this.#take(index, {wish, from: i + 1, left: left - 1}, more) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** Is the device of the class, and as the request wants it? */
  #fits(wish: Wish, placed: PlacedDevice): boolean {
    let known = this.#fitting.get(wish);
    if (!known) this.#fitting.set(wish, (known = new Map()));
    const before = known.get(placed);
    if (before !== undefined) return before;
    const {classOf, selects} = this.#offer;
    const deviceClass = classOf(wish.className);
    const asked = [
      {of: `class ${wish.className}`, selectors: deviceClass?.spec.selectors ?? []},
      {of: `claim ${this.#title}`, selectors: wish.selectors},
    ];
    let fits = deviceClass !== undefined;
    for (const {of, selectors} of asked) {
      const verdict = fits && selects(selectors, placed);
      if (typeof verdict === 'string') this.error ??= `${of}: ${verdict}`;
      fits &&= verdict === true;
    }
    known.set(placed, fits);
    return fits;
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
