// Port 2381: what kubelets' probes and monitoring ask, over plain HTTP.
import type {Answer, Request} from '../../api/wire/http.ts';
import type {HealthAnswer} from '../../api/wire/etcd.ts';
import type {Call} from '../../sim/network.ts';
import {NOBODY} from '../raft/entry.ts';
import type {Context} from './context.ts';
import {health} from './health.ts';
import {log} from './log-line.ts';
import {isLearner} from './requests.ts';

/** Serves one HTTP request. */
export function serveHealth(context: Context, call: Call): void {
  const {path, query} = call.request as Request;
  const reply = (status: number, body: string) =>
    call.answer({status, body, headers: {'content-type': 'text/plain'}} satisfies Answer);
  const verbose = query !== undefined && 'verbose' in query;
  if (path === '/health') return answerHealth(context, reply);
  if (path === '/livez') return reply(200, verbose ? '[+]serializable_read ok\nok\n' : 'ok\n');
  if (path === '/readyz') return answerReady(context, verbose, reply);
  if (path === '/metrics') return reply(200, metrics(context));
  if (path === '/version') return reply(200, '{"etcdserver":"3.6.6","etcdcluster":"3.6.0","storage":"3.6.0"}');
  reply(404, '404 page not found\n');
}

type Write = (status: number, body: string) => void;

function answerHealth(context: Context, reply: Write): void {
  health(context, answer => {
    const {health: good, reason} = answer as HealthAnswer;
    const output = JSON.stringify({health: String(good), reason});
    if (!good) {
      const {daemon} = context;
      const facts = {output, 'status-code': 503};
      log(daemon, {level: 'warn', caller: 'etcdhttp/health.go:101', msg: '/health error', facts});
    }
    reply(good ? 200 : 503, good ? output : `${output}\n`);
  });
}

function answerReady(context: Context, verbose: boolean, reply: Write): void {
  const learner = isLearner(context);
  const done = (readable: boolean) => {
    const ok = readable && !learner;
    const lines = [
      '[+]data_corruption ok',
      '[+]serializable_read ok',
      readable ? '[+]linearizable_read ok' : '[-]linearizable_read failed: etcdserver: no leader',
      learner ? '[-]non_learner failed: not supported for learner' : '[+]non_learner ok',
    ];
    reply(ok ? 200 : 503, `${verbose || !ok ? `${lines.join('\n')}\n` : ''}${ok ? 'ok' : ''}\n`);
  };
  if (context.node.raft.leader === NOBODY) return done(false);
  context.reads.add(refused => done(!refused));
}

function metrics(context: Context): string {
  const {node, backend, id} = context;
  const values: [string, number][] = [
    ['etcd_mvcc_db_total_size_in_bytes', backend.ledger.fileBytes],
    ['etcd_mvcc_db_total_size_in_use_in_bytes', backend.ledger.inUseBytes],
    ['etcd_server_has_leader', node.raft.leader === NOBODY ? 0 : 1],
    ['etcd_server_is_leader', node.raft.leader === id ? 1 : 0],
    ['etcd_server_is_learner', isLearner(context) ? 1 : 0],
    ['etcd_server_leader_changes_seen_total', context.leaderChanges],
    ['etcd_server_learner_promote_successes', 0],
    ['etcd_server_proposals_applied_total', backend.appliedIndex],
    ['etcd_server_proposals_committed_total', node.raft.committed],
    ['etcd_server_quota_backend_bytes', backend.ledger.quotaBytes],
  ];
  return values
    .map(([name, value]) => `# TYPE ${name} ${/_total$|_successes$/.test(name) ? 'counter' : 'gauge'}\n${name} ${value}\n`)
    .join('');
}
