import type {Command} from '../command.ts';

export const VERSION_COMMAND: Command = {
  path: 'version',
  usage: '',
  short: 'Prints the version of etcdctl',
  run: async ({process}) => process.out('etcdctl version: 3.6.6\nAPI version: 3.6\n'),
};
