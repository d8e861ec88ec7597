// `iptables-save`, and `iptables -t TABLE -S [CHAIN]`: the rules that kube-proxy has put in force. Changes are refused.
import type {Program} from '../../sim/process/machine.ts';
import type {NetworkFacts} from './facts.ts';

/** The part of a table in the text of all. */
function tableOf(text: string, table: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.indexOf(`*${table}`);
  if (start < 0) return [];
  const end = lines.indexOf('COMMIT', start);
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

/** Makes `iptables-save`. */
export function makeIptablesSave(facts: () => NetworkFacts): Program {
  return async process => {
    const words = process.argv.slice(1);
    const at = words.findIndex(word => word === '-t' || word === '--table');
    const {rules} = facts();
    if (at < 0) await process.out(rules);
    else {
      const table = words[at + 1] ?? '';
      const lines = tableOf(rules, table);
      await process.out(lines.length === 0 ? '' : `*${table}\n${lines.join('\n')}\nCOMMIT\n`);
    }
    return 0;
  };
}

/** Makes `iptables`. */
export function makeIptables(facts: () => NetworkFacts): Program {
  return async process => {
    const words = process.argv.slice(1);
    const at = words.findIndex(word => word === '-t' || word === '--table');
    const table = at < 0 ? 'filter' : (words[at + 1] ?? '');
    const list = words.findIndex(word => word === '-S' || word === '--list-rules');
    if (list < 0) {
      await process.err(
        'iptables: look with -S, or with iptables-save; what kube-proxy has written is not changed by hand here\n',
      );
      return 2;
    }
    const chain = words[list + 1];
    const only = chain === undefined || chain.startsWith('-') ? undefined : chain;
    const lines = tableOf(facts().rules, table);
    const chains = lines.flatMap(line => {
      const [, name = '', policy = '-'] = /^:(\S+) (\S+)/.exec(line) ?? [];
      return name === '' ? [] : [policy === '-' ? `-N ${name}` : `-P ${name} ${policy}`];
    });
    const rules = lines.filter(line => line.startsWith('-A '));
    const shown = [...chains, ...rules].filter(line => only === undefined || line.split(' ')[1] === only);
    if (only !== undefined && shown.length === 0) {
      await process.err('iptables: No chain/target/match by that name.\n');
      return 1;
    }
    await process.out(shown.map(line => `${line}\n`).join(''));
    return 0;
  };
}
