// The catalogue of the levels that come with the game. The bundle has the cards ready, by the digest of each level's text; where all
// texts are those that it knew, nothing is read but that. From the sources, or where a file was changed, the levels are read.
import {readFileSync} from 'node:fs';
import {catalogueOf, digestOf, inOrder, type Card, type Catalogue, type LevelFile} from '../game/catalogue.ts';
import {filesBelow, levelsFolder} from './level-folder.ts';

/** The file of the cards, beside the bundle's door. */
export const CARDS_FILE = 'cards.json';

/** The catalogue of the levels that come with the game. */
export async function ownCatalogue(): Promise<Catalogue> {
  const files = filesBelow(levelsFolder());
  const found = readyCards(files);
  if (!found) {
    const {entries, broken} = await readAll(files);
    return catalogueOf(
      entries,
      broken.flatMap(({problems}) => problems),
    );
  }
  return {
    cards: found.map(({card}) => card).sort(inOrder),
    broken: [],
    entry: async id => {
      const file = found.find(({card}) => card.id === id)?.file;
      return file && (await readAll([file])).entries[0];
    },
  };
}

async function readAll(files: readonly LevelFile[]) {
  const {readCourse} = await import('../game/course.ts');
  return readCourse(files);
}

/** The cards of all files; undefined when there are none ready, or one of them is of another text. */
function readyCards(files: readonly LevelFile[]): {card: Card; file: LevelFile}[] | undefined {
  const known = new Map(cardsOfTheBundle().map(card => [card.digest, card]));
  const found = files.flatMap(file => {
    const card = known.get(digestOf(file.text));
    return card ? [{card, file}] : [];
  });
  return found.length === files.length ? found : undefined;
}

function cardsOfTheBundle(): readonly Card[] {
  try {
    return JSON.parse(readFileSync(new URL(`../${CARDS_FILE}`, import.meta.url), 'utf8')) as readonly Card[];
  } catch {
    // Run from the sources: nobody has made them.
    return [];
  }
}
