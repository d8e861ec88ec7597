// Names that cannot stand in a path are refused before anything is sent.
import {fail, type Failure} from '../failure.ts';

/** What is wrong with the name of an object. */
export function nameProblem(name: string): Failure | undefined {
  if (name === '') return fail('resource name may not be empty');
  const problems =
    name === '.' || name === '..'
      ? [`may not be '${name}'`]
      : ['/', '%'].filter(sign => name.includes(sign)).map(sign => `may not contain '${sign}'`);
  return problems.length > 0 ? fail(`invalid resource name ${JSON.stringify(name)}: [${problems.join(' ')}]`) : undefined;
}
