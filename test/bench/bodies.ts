// Bodies as large as a server takes, over TLS: what each kind of them takes, and how long the loop is held up by it. Whatever a client
// sends, others are to be served meanwhile.
import {Agent, request as httpsRequest} from 'node:https';
import {Server} from '../serve/server.ts';
import {largeRequests} from './large/index.ts';
import type {LargeRequest} from './large/request.ts';
import type {Bench, Figure} from './measure.ts';
import {Turns} from './turns.ts';

/** Every kind of large body, once each; `word` picks some by their names. */
export function largeBodies(word = process.argv[3] ?? ''): Bench {
  return {
    name: 'large bodies over TLS',
    async run() {
      const turns = new Turns();
      const server = new Server('', turns.env);
      await server.start();
      turns.of(server);
      const agent = new Agent({keepAlive: true, maxSockets: 4});
      try {
        const figures: Figure[] = [];
        for (const asked of largeRequests()) {
          if (!asked.name.includes(word) && !asked.needed) continue;
          await turns.longest();
          const start = performance.now();
          const status = await send(server, agent, asked);
          const ms = performance.now() - start;
          const longest = (await turns.longest()) ?? 0;
          if (process.env['CRASHLOOP_ANSWERS'])
            console.log(`= ${asked.name.padEnd(45)} ${status} ${ms.toFixed(0).padStart(6)} ms, turn ${longest.toFixed(0)}`);
          figures.push({name: `${asked.name}: ${status}`, value: ms, unit: 'ms'});
          figures.push({name: '  the longest turn of the loop', value: longest, unit: 'ms of CPU', goal: 'less than 50'});
        }
        return figures;
      } catch (error) {
        throw new Error(server.printed, {cause: error});
      } finally {
        agent.destroy();
        await server.stop();
        turns.end();
      }
    },
  };
}

/** Sends a request as often as it says; the last status. */
async function send(server: Server, agent: Agent, asked: LargeRequest): Promise<string> {
  let status = '';
  const bodies = asked.bodies();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < bodies.length)
      status = await once(server, agent, {...asked, path: asked.path.replace('#', String(next)), body: bodies[next++] ?? ''});
  };
  await Promise.all(Array.from({length: Math.min(4, bodies.length)}, lane));
  return status;
}

interface Once {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body: string;
}

function once(server: Server, agent: Agent, {method, path, type = 'application/json', accept = 'application/json', body}: Once) {
  return new Promise<string>((done, failed) => {
    const headers = {accept, ...(body === '' ? {} : {'content-type': type})};
    const asked = httpsRequest(`${server.url}${path}`, {method, headers, agent, ...server.credentials}, answer => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (process.env['CRASHLOOP_ANSWERS']) console.log(method, path, answer.statusCode, JSON.stringify(text.slice(0, 300)));
        done(String(answer.statusCode));
      });
    });
    asked.on('error', failed);
    asked.end(body);
  });
}
