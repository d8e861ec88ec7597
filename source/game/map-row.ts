// A row of the map: a level's card, and how far the player has come with it.
import type {Card} from './catalogue.ts';
import type {Progress} from './progress.ts';
import {WORLDS} from './worlds.ts';

/** A row of the map. */
export interface MapRow {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly world: string;
  readonly domain: string;
  readonly difficulty: number;
  readonly minutes: number;
  readonly idea: string;
  readonly story: string;
  readonly solved: boolean;
  readonly stars: number;
  readonly bestMs: number | undefined;
}

/** The row of a card. */
export function rowOf(card: Card, known: Progress['levels'][string] | undefined): MapRow {
  const {id, number, title, domain, difficulty, minutes, idea, story} = card;
  const world = WORLDS.find(each => each.number === card.world)?.name ?? '';
  return {
    id,
    number,
    title,
    world,
    domain,
    difficulty,
    minutes,
    idea,
    story,
    solved: known?.solved ?? false,
    stars: known?.stars ?? 0,
    bestMs: known?.bestMs,
  };
}
