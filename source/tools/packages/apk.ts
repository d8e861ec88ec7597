// `apk` of Alpine, where no mirror can be reached: it says which index it misses, and that it knows no such package.
import {lookUpHost} from './look-up.ts';
import type {Program} from '../../sim/process/machine.ts';

const HOST = 'dl-cdn.alpinelinux.org';

/** `apk add|update|search …` */
export const apk: Program = async process => {
  const [command = '', ...words] = process.argv.slice(1).filter(word => !word.startsWith('-'));
  if (command !== 'add' && command !== 'update' && command !== 'upgrade') {
    if (command === '') await process.out('apk-tools 2.14.9, compiled for x86_64.\n');
    return 0;
  }
  const version = /^VERSION_ID=(\d+\.\d+)/m.exec(process.machine.files.read('/etc/os-release') ?? '')?.[1] ?? '3.22';
  const found = await lookUpHost(process, HOST);
  const why = found ? 'Connection refused' : 'temporary error (try again later)';
  for (const part of ['main', 'community']) {
    const url = `https://${HOST}/alpine/v${version}/${part}`;
    await process.out(`fetch ${url}/x86_64/APKINDEX.tar.gz\n`);
    await process.err(`WARNING: ${command === 'add' ? 'Ignoring' : 'fetching'} ${url}: ${why}\n`);
  }
  if (command !== 'add') {
    await process.err('2 unavailable, 0 stale; 15 distinct packages available\n');
    return 2;
  }
  if (words.length === 0) return 0;
  await process.err(
    `ERROR: unable to select packages:\n${words.map(word => `  ${word} (no such package):\n    required by: world[${word}]\n`).join('')}`,
  );
  return words.length;
};
