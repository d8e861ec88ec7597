// How many pods of which labels stand where. Spreading and affinity between pods ask such questions for each pod and node, so
// nothing here is ever counted anew: pods with equal namespace and labels share one label set, a tally is the sum of the label
// sets that fit a selector, and a headcount also keeps its sums by topology domain. A pod that comes or goes changes one label
// set and the few tallies that it belongs to.
//
//     web-1, web-2 on node-1 (zone a), web-3 on node-2 (zone b):
//     tally app=web → by node {node-1: 2, node-2: 1}, domains of the zone label {a: 2, b: 1}
//
// A pod that is being deleted moves to a label set of its own, as spreading does not count it and affinity does.
import type {LabelMatcher, Labels} from '../../../api/meta/selector.ts';
import type {Place} from './node-facts.ts';
import type {AffinityTerm, PodShape} from './shape.ts';

/** A number of pods on each node, and the sums of it by domain. */
export class Headcount {
  readonly byNode = new Map<Place, number>();
  readonly #domains = new Map<string, Map<string, number>>();

  /** Adds to a node's number; `by` may be below 0. */
  change(node: Place, by: number): void {
    const count = (this.byNode.get(node) ?? 0) + by;
    if (count === 0) this.byNode.delete(node);
    else this.byNode.set(node, count);
    for (const [key, sums] of this.#domains) addTo(sums, node.domain(key), by);
  }

  /** Sums by the value of a label of the nodes; nodes without it count nowhere. */
  domains(topologyKey: string): ReadonlyMap<string, number> {
    const known = this.#domains.get(topologyKey);
    if (known) return known;
    const sums = new Map<string, number>();
    for (const [node, count] of this.byNode) addTo(sums, node.domain(topologyKey), count);
    this.#domains.set(topologyKey, sums);
    return sums;
  }

  /** A node's labels changed: sums are made anew when somebody asks. */
  forgetDomains(): void {
    this.#domains.clear();
  }
}

function addTo(sums: Map<string, number>, domain: string | undefined, by: number): void {
  if (domain === undefined) return;
  const sum = (sums.get(domain) ?? 0) + by;
  if (sum === 0) sums.delete(domain);
  else sums.set(domain, sum);
}

/** Which pods a tally counts. */
export interface Question {
  /** The same for questions that mean the same. */
  readonly key: string;
  /** Undefined for all namespaces. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly matches: LabelMatcher;
  /** Leaves out pods that are being deleted. */
  readonly live: boolean;
}

/** The pods that fit a question. */
export class Tally extends Headcount {
  readonly question: Question;

  constructor(question: Question) {
    super();
    this.question = question;
  }

  /** Do pods of that label set count? */
  counts(set: LabelSet): boolean {
    const {namespaces, matches, live} = this.question;
    return !(live && set.terminating) && (!namespaces || namespaces.has(set.namespace)) && matches(set.labels);
  }
}

/** Pods with one namespace and the same labels. */
export class LabelSet {
  readonly key: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly terminating: boolean;
  readonly byNode = new Map<Place, number>();
  /** How many pods were given it and have not released it. */
  users = 0;
  /** The tallies that count it. */
  tallies: Tally[] = [];
  /** The terms of placed pods that match it, and for which state of things that was found. */
  matching: {readonly version: number; readonly terms: readonly PlacedTerm[]} | undefined;

  constructor(key: string, labels: Labels, of: {readonly namespace: string; readonly terminating: boolean}) {
    this.key = key;
    this.labels = labels;
    this.namespace = of.namespace;
    this.terminating = of.terminating;
  }
}

export type TermKind = 'affinity' | 'antiAffinity' | 'preferred' | 'preferredAnti';

/** A rule about other pods that placed pods have, and how many of them stand where. */
export class PlacedTerm extends Headcount {
  readonly kind: TermKind;
  readonly term: AffinityTerm;
  /** The namespace of the pods that have it. */
  readonly namespace: string;

  constructor(kind: TermKind, term: AffinityTerm, namespace: string) {
    super();
    this.kind = kind;
    this.term = term;
    this.namespace = namespace;
  }
}

/** What a pod is to the population. */
export interface Inhabitant {
  readonly labels: LabelSet;
  readonly shape: PodShape;
}

const TALLIES_LIMIT = 4000;
const IDLE_LIMIT = 2000;
/** In place of a namespace, for questions about all of them. */
const EVERYWHERE = '';
const KINDS: readonly TermKind[] = ['affinity', 'antiAffinity', 'preferred', 'preferredAnti'];

/** All placed pods, as numbers. */
export class Population {
  readonly #sets = new Map<string, LabelSet>();
  readonly #byNamespace = new Map<string, Set<LabelSet>>();
  /** Label sets without pods, the longest unused first. */
  readonly #idle = new Set<LabelSet>();
  readonly #tallies = new Map<string, Tally>();
  readonly #talliesByNamespace = new Map<string, Set<Tally>>();
  readonly #terms = new Map<string, PlacedTerm>();
  #version = 0;
  readonly #labelsOf: (namespace: string) => Labels;

  /** `labelsOf` tells a namespace's labels, which terms may ask for. */
  constructor(labelsOf: (namespace: string) => Labels) {
    this.#labelsOf = labelsOf;
  }

  /** Gives a pod its label set; the pod releases it when it goes or gets another one. */
  labelSet(namespace: string, labels: Labels, terminating: boolean): LabelSet {
    const key = `${namespace}|${terminating ? '-' : '+'}|${labels ? labelsKey(labels) : ''}`;
    const known = this.#sets.get(key);
    if (known) {
      if (known.users++ === 0) this.#idle.delete(known);
      return known;
    }
    const made = new LabelSet(key, labels, {namespace, terminating});
    made.users = 1;
    this.#sets.set(key, made);
    const neighbours = this.#byNamespace.get(namespace) ?? new Set<LabelSet>();
    neighbours.add(made);
    this.#byNamespace.set(namespace, neighbours);
    made.tallies = [...this.#talliesIn(namespace), ...this.#talliesIn(EVERYWHERE)].filter(tally => tally.counts(made));
    return made;
  }

  /** A pod was placed. */
  add(pod: Inhabitant, node: Place): void {
    this.#count(pod, node, 1);
  }

  /** A placed pod is gone. */
  remove(pod: Inhabitant, node: Place): void {
    this.#count(pod, node, -1);
  }

  /** A pod gives its label set back. One that nobody has is kept for a while, as the next pod of a row often wants it. */
  release(set: LabelSet): void {
    if (--set.users > 0) return;
    this.#idle.add(set);
    if (this.#idle.size <= IDLE_LIMIT) return;
    const [oldest] = this.#idle;
    if (oldest) this.#drop(oldest);
  }

  #drop(set: LabelSet): void {
    this.#idle.delete(set);
    this.#sets.delete(set.key);
    const neighbours = this.#byNamespace.get(set.namespace);
    neighbours?.delete(set);
    if (neighbours?.size === 0) this.#byNamespace.delete(set.namespace);
  }

  /** The pods that fit a question, counted from now on. */
  tally(question: Question): Tally {
    const known = this.#tallies.get(question.key);
    if (known) return known;
    if (this.#tallies.size >= TALLIES_LIMIT) this.#forgetTallies();
    const made = new Tally(question);
    this.#tallies.set(question.key, made);
    for (const namespace of question.namespaces ?? [EVERYWHERE]) this.#talliesIn(namespace).add(made);
    for (const namespace of question.namespaces ?? this.#byNamespace.keys()) {
      for (const set of this.#byNamespace.get(namespace) ?? []) {
        if (!made.counts(set)) continue;
        set.tallies.push(made);
        for (const [node, count] of set.byNode) made.change(node, count);
      }
    }
    return made;
  }

  /** Has any placed pod a rule about others? */
  get hasTerms(): boolean {
    return this.#terms.size > 0;
  }

  /** The rules of placed pods that speak about pods of a label set. */
  termsAbout(set: LabelSet): readonly PlacedTerm[] {
    if (this.#terms.size === 0) return [];
    if (set.matching?.version === this.#version) return set.matching.terms;
    const labels = this.#labelsOf(set.namespace);
    const terms = [...this.#terms.values()].filter(({term, namespace}) => termMatches(term, namespace, set, labels));
    set.matching = {version: this.#version, terms};
    return terms;
  }

  /** The labels of a namespace changed. */
  namespaceChanged(): void {
    this.#version++;
  }

  /** The labels of a node changed, or the node came or went. */
  nodeChanged(): void {
    for (const tally of this.#tallies.values()) tally.forgetDomains();
    for (const term of this.#terms.values()) term.forgetDomains();
  }

  #count(pod: Inhabitant, node: Place, by: number): void {
    const {labels, shape} = pod;
    const count = (labels.byNode.get(node) ?? 0) + by;
    if (count === 0) labels.byNode.delete(node);
    else labels.byNode.set(node, count);
    for (const tally of labels.tallies) tally.change(node, by);
    if (!shape.terms) return;
    for (const kind of KINDS) {
      for (const term of shape.terms[kind]) this.#countTerm({kind, term, namespace: labels.namespace}, node, by);
    }
  }

  #countTerm(of: {kind: TermKind; term: AffinityTerm; namespace: string}, node: Place, by: number): void {
    const key = `${of.kind}|${of.namespace}|${of.term.key}`;
    let placed = this.#terms.get(key);
    if (!placed) {
      placed = new PlacedTerm(of.kind, of.term, of.namespace);
      this.#terms.set(key, placed);
      this.#version++;
    }
    placed.change(node, by);
    if (placed.byNode.size > 0) return;
    this.#terms.delete(key);
    this.#version++;
  }

  #talliesIn(namespace: string): Set<Tally> {
    const known = this.#talliesByNamespace.get(namespace);
    if (known) return known;
    const made = new Set<Tally>();
    this.#talliesByNamespace.set(namespace, made);
    return made;
  }

  #forgetTallies(): void {
    this.#tallies.clear();
    this.#talliesByNamespace.clear();
    for (const set of this.#sets.values()) set.tallies = [];
  }
}

/** Does a term of a pod in `owner` speak about pods of a label set? */
export function termMatches(term: AffinityTerm, owner: string, set: LabelSet, namespaceLabels: Labels): boolean {
  return inScope(term, owner, {namespace: set.namespace, labels: namespaceLabels}) && term.matches(set.labels);
}

/** Is a namespace one that the term of a pod in `owner` speaks about? Without list and selector it is the pod's own. */
export function inScope(
  term: AffinityTerm,
  owner: string,
  asked: {readonly namespace: string; readonly labels: Labels},
): boolean {
  const {namespaces, namespaceMatches} = term;
  if (namespaces.has(asked.namespace)) return true;
  if (namespaceMatches) return namespaceMatches(asked.labels);
  return namespaces.size === 0 && asked.namespace === owner;
}

const keys = new WeakMap<object, string>();

function labelsKey(labels: NonNullable<Labels>): string {
  const known = keys.get(labels);
  if (known !== undefined) return known;
  const key = Object.keys(labels)
    .sort()
    .map(name => `${name}=${labels[name]}`)
    .join(',');
  keys.set(labels, key);
  return key;
}
