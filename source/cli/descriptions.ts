// Where the prose of the API lies: beside the bundle, where the build has put it. Without it nothing is described.
import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {readDescriptionsFrom, type Prose} from '../api/schema/descriptions.ts';

/** Lets the API server find the descriptions when somebody asks for them. */
export function offerDescriptions(): void {
  readDescriptionsFrom(() => {
    for (const way of ['chunks/descriptions.json', 'descriptions.json']) {
      const path = fileURLToPath(new URL(way, import.meta.url));
      if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Prose>>;
    }
    return {};
  });
}
