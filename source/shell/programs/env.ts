import type {Program} from '../../sim/process/machine.ts';
import {findByName} from './find-program.ts';
import {complain} from './output.ts';

/** `env [-i] [-u name] [name=value …] [command …]` */
export const env: Program = async process => {
  let args = process.argv.slice(1);
  const environment = new Map(process.environment);
  while (args[0]?.startsWith('-')) {
    const option = args[0];
    if (option === '-i' || option === '-' || option === '--ignore-environment') environment.clear();
    else if (option === '-u') {
      environment.delete(args[1] ?? '');
      args = args.slice(1);
    } else if (option.startsWith('--unset=')) environment.delete(option.slice(8));
    else if (option !== '-S' && option !== '--') {
      return complain(process, `env: invalid option -- '${option.slice(1)}'\nTry 'env --help' for more information.`, 125);
    }
    args = args.slice(1);
  }
  while (args[0]?.includes('=')) {
    const at = args[0].indexOf('=');
    environment.set(args[0].slice(0, at), args[0].slice(at + 1));
    args = args.slice(1);
  }
  if (args.length === 0) {
    await process.out([...environment].map(([name, value]) => `${name}=${value}\n`).join(''));
    return 0;
  }
  const found = findByName(process, args);
  if (!found.ok) return complain(process, `env: '${args[0]}': ${found.words}`, found.status);
  return process.exec(found.program, found.argv, environment);
};

/** `printenv [name …]` */
export const printenv: Program = async process => {
  const names = process.argv.slice(1);
  if (names.length === 0) {
    await process.out([...process.environment].map(([name, value]) => `${name}=${value}\n`).join(''));
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const value = process.environment.get(name);
    if (value === undefined) status = 1;
    else await process.out(`${value}\n`);
  }
  return status;
};
