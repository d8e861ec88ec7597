// What the map shows of the course: a card of each level, which can be had without reading the level. Reading one needs the whole
// of the game's engine; the title and the map do without, so that the first frame is there at once.
import {createHash} from 'node:crypto';
import type {Entry} from './course.ts';

/** A level file's text. */
export interface LevelFile {
  readonly path: string;
  readonly text: string;
}

/** What is shown of a level before it is opened. */
export interface Card {
  readonly id: string;
  /** As players call it: `2.1`, `1.7a`. */
  readonly number: string;
  readonly title: string;
  /** The number of its world. */
  readonly world: number;
  /** Its place in the world. */
  readonly order: number;
  readonly domain: string;
  readonly difficulty: number;
  readonly minutes: number;
  readonly idea: string;
  readonly story: string;
  /** Of the level's text: a run tells by it whether it was played on this same level. */
  readonly digest: string;
}

/** The cards in the order of the path, and a way to the levels behind them. */
export interface Catalogue {
  readonly cards: readonly Card[];
  /** What is wrong with files that cannot be opened. */
  readonly broken: readonly string[];
  /** Reads a level. */
  readonly entry: (id: string) => Promise<Entry | undefined>;
}

/** The catalogue of levels that were read already. */
export function catalogueOf(entries: readonly Entry[], broken: readonly string[] = []): Catalogue {
  return {cards: entries.map(cardOf), broken, entry: async id => entries.find(({level}) => level.id === id)};
}

/** The same, with a level that was read already: in the place of the one of its name, or before all others. */
export function withEntry(catalogue: Catalogue, entry: Entry): Catalogue {
  const card = cardOf(entry);
  const others = catalogue.cards;
  const cards = others.some(({id}) => id === card.id)
    ? others.map(each => (each.id === card.id ? card : each))
    : [card, ...others];
  return {...catalogue, cards, entry: async id => (id === card.id ? entry : catalogue.entry(id))};
}

/** The card of a level. */
export function cardOf({number, digest, level}: Entry): Card {
  const {id, title, world, order, domain, difficulty, minutes, idea, story} = level;
  return {id, number, title, world, order, domain, difficulty, minutes, idea, story: story.trim(), digest};
}

/** In the order of the path. */
export function inOrder(a: Pick<Card, 'world' | 'order'>, b: Pick<Card, 'world' | 'order'>): number {
  return a.world - b.world || a.order - b.order;
}

/** The digest of a level's text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
