// A process that keeps many clusters, one after the other or side by side: whoever dials it names a file of nodes, and has a shell of
// its own, spoken to as `crashloop shell --json` is. A program that has run for a while is many times as fast as one that begins, and
// there are two hundred recordings.
import {readFileSync} from 'node:fs';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {createInterface} from 'node:readline';
import {readBooksFrom} from '../../source/api/words/books.ts';
import {nodesFrom} from '../../source/cli/nodes.ts';
import {openShell, type LineShell} from '../../source/game/line-shell.ts';
import {readBooks} from '../build/books.ts';

const books = await readBooks();
readBooksFrom(name => books[name]);

async function talk(socket: Socket): Promise<void> {
  let shell: LineShell | undefined;
  for await (const line of createInterface({input: socket, crlfDelay: Infinity})) {
    if (shell) socket.write(`${JSON.stringify(await shell.answer(line))}\n`);
    else shell = await openShell({hostNow: () => performance.now(), nodes: nodesFrom(readFileSync(line, 'utf8'), line)});
  }
}

const server = createServer(socket => {
  socket.on('error', () => socket.destroy());
  void talk(socket);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
