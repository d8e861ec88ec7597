// Answers that are printed in the form that `-o` asks for, and in no other.
import type {AnyObject} from '../../api/meta/object.ts';
import {Failure} from '../failure.ts';
import type {Session} from '../session.ts';
import {printerOf} from './printer.ts';

/** Prints objects one after the other, up to the first that cannot be printed. */
export async function printTyped(session: Session, objects: readonly AnyObject[]): Promise<Failure | undefined> {
  const printer = printerOf(session, {typed: true});
  if (printer instanceof Failure) return printer;
  for (const object of objects) {
    const text = printer(object);
    if (text instanceof Failure) return text;
    await session.out(text);
  }
  return undefined;
}
