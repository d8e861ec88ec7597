// The files that kubelet, kube-proxy and kube-scheduler are configured by, read as their codecs read them: YAML or JSON, then version
// and kind, then the types of the fields. What is wrong is said in the words of the codec; what strict decoding alone would refuse
// (a field that is not known, a key that stands twice) is told apart, since not every component minds it.
import type {Fields} from '../meta/fields.ts';
import {whyNoKind} from '../meta/version-kind.ts';
import {decodeType} from '../schema/index.ts';
import {readYaml} from '../yaml/read.ts';

/** One kind of file. */
export interface ConfigKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** The Go package of its types; they stand in data/component-types.json. */
  readonly package: string;
  /** Where the real one makes its scheme: it says so of a kind that it does not know. */
  readonly scheme: string;
}

export const KUBELET_CONFIG: ConfigKind = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  package: 'v1beta1',
  scheme: 'k8s.io/kubernetes/pkg/kubelet/apis/config/scheme/scheme.go:33',
};

export const PROXY_CONFIG: ConfigKind = {
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  package: 'v1alpha1',
  scheme: 'k8s.io/kubernetes/pkg/proxy/apis/config/scheme/scheme.go:30',
};

export const SCHEDULER_CONFIG: ConfigKind = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  package: 'v1',
  scheme: 'k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:32',
};

/** What a file says, and what a strict reader would not take; or why nobody can read it. */
export type ConfigRead =
  | {readonly ok: true; readonly value: Fields; readonly problems: readonly string[]}
  | {readonly ok: false; readonly why: string};

/** Files that were read: the nodes of a cluster have the same ones. */
const known = new Map<string, ConfigRead>();
const MOST_KNOWN = 50;

/** Reads a file's text as one of a kind. */
export function readConfig(text: string, kind: ConfigKind): ConfigRead {
  const key = `${kind.kind}\n${text}`;
  const made = known.get(key) ?? decode(text, kind);
  if (known.size > MOST_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

function decode(text: string, expected: ConfigKind): ConfigRead {
  const {documents, error} = readYaml(text);
  if (error) return {ok: false, why: withoutHead(error.message)};
  const value = documents[0]?.value;
  const why = whyNoKind(value) ?? whyStranger(value as Fields, expected);
  if (why !== undefined) return {ok: false, why};
  const decoded = decodeType(typeName(expected.package, expected.kind), value);
  if (!decoded.ok) return {ok: false, why: decoded.error};
  const {error: twice} = readYaml(text, {uniqueKeys: true});
  return {ok: true, value: value as Fields, problems: [...(twice ? [withoutHead(twice.message)] : []), ...decoded.problems]};
}

function whyStranger({apiVersion, kind}: Fields, expected: ConfigKind): string | undefined {
  if (apiVersion === expected.apiVersion && kind === expected.kind) return undefined;
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "${expected.scheme}"`;
}

/** The arguments of a plugin of the scheduler: why they cannot be decoded, with what strict decoding alone refuses. */
export function readPluginArguments(
  plugin: string,
  value: unknown,
): {readonly error?: string; readonly problems: readonly string[]} {
  const decoded = decodeType(typeName(SCHEDULER_CONFIG.package, `${plugin}Args`), value);
  return decoded.ok ? {problems: decoded.problems} : {error: decoded.error, problems: []};
}

function typeName(inPackage: string, name: string): string {
  return `io.k8s.config.${inPackage}.${name}`;
}

function withoutHead(message: string): string {
  return message.replace('error converting YAML to JSON: ', '');
}
