// Who asks, as the trace names it: the first word of the user agent, and for a kubelet its node as well.
const AGENTS = new Map<string, string>();

/** `kubectl/v1.35.2 (linux/amd64)` is `kubectl`; a kubelet of node-1 is `kubelet@node-1`. */
export function agentName(userAgent: string | undefined, node: string | undefined): string {
  const name = nameOf(userAgent ?? 'unknown');
  return node === undefined || name.includes('@') ? name : `${name}@${node}`;
}

function nameOf(userAgent: string): string {
  const known = AGENTS.get(userAgent);
  if (known !== undefined) return known;
  const slash = userAgent.indexOf('/');
  const name = (slash < 0 ? userAgent : userAgent.slice(0, slash)).split(' ')[0] ?? userAgent;
  if (AGENTS.size > 1000) AGENTS.clear();
  AGENTS.set(userAgent, name);
  return name;
}
