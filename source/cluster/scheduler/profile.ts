// A profile: the plugins that schedule the pods of one schedulerName, in order, with their weights. It is made of the default
// configuration and of what a level's KubeSchedulerConfiguration says otherwise: plugins enabled and disabled for all extension
// points (multiPoint) or for one, and arguments. A plugin that this scheduler does not know is a fault of the configuration.
import defaults from '../../api/data/scheduler-defaults.json' with {type: 'json'};
import type {Plugin, Profile, Scorer} from './framework.ts';
import {PLUGINS, type PluginArguments} from './plugins/index.ts';

/** A set of plugins, as the configuration names them. */
export interface PluginSet {
  readonly enabled?: readonly {readonly name: string; readonly weight?: number}[];
  readonly disabled?: readonly {readonly name: string}[];
}

/** One profile of the configuration. */
export interface ProfileConfig {
  readonly schedulerName?: string;
  readonly plugins?: Readonly<Record<string, PluginSet | undefined>>;
  readonly pluginConfig?: readonly {readonly name: string; readonly args: PluginArguments}[];
  readonly percentageOfNodesToScore?: number;
}

/** What a KubeSchedulerConfiguration may say; the rest of it does not matter to a simulation. */
export interface SchedulerConfig {
  readonly profiles?: readonly ProfileConfig[];
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
}

const [DEFAULT] = defaults.profiles as unknown as readonly ProfileConfig[];

/** The profiles of a configuration; without one, the default. */
export function makeProfiles(config: SchedulerConfig = {}): ReadonlyMap<string, Profile> {
  const profiles = (config.profiles?.length ? config.profiles : [{}]).map(each =>
    makeProfile(each, config.percentageOfNodesToScore ?? 0),
  );
  return new Map(profiles.map(profile => [profile.schedulerName, profile]));
}

/** A profile's plugins. Throws with a sentence for a plugin that is not known. */
export function makeProfile(config: ProfileConfig, percentage = 0): Profile {
  const args = new Map((DEFAULT?.pluginConfig ?? []).map(each => [each.name, each.args]));
  for (const each of config.pluginConfig ?? []) args.set(each.name, {...args.get(each.name), ...each.args});
  const made = new Map<string, Plugin>();
  const use = (name: string): Plugin => {
    const known = made.get(name);
    if (known) return known;
    const make = PLUGINS[name];
    if (!make) throw new Error(`initializing profiles: plugin ${JSON.stringify(name)} does not exist`);
    const plugin = make(args.get(name) ?? {});
    made.set(name, plugin);
    return plugin;
  };
  const at = (point: string, does: (plugin: Plugin) => boolean): Scorer[] =>
    namesAt(point, config)
      .map(({name, weight}) => ({plugin: use(name), weight: weight ?? 0}))
      .filter(({plugin}) => does(plugin));
  const plain = (point: string, does: (plugin: Plugin) => boolean): Plugin[] => at(point, does).map(({plugin}) => plugin);
  return {
    schedulerName: config.schedulerName ?? 'default-scheduler',
    preEnqueue: plain('preEnqueue', plugin => plugin.preEnqueue !== undefined),
    filters: plain('filter', plugin => plugin.filter !== undefined || plugin.preFilter !== undefined),
    postFilters: plain('postFilter', plugin => plugin.postFilter !== undefined),
    scorers: at('score', plugin => plugin.score !== undefined).map(({plugin, weight}) => ({plugin, weight: weight || 1})),
    preBinders: plain('preBind', plugin => plugin.preBind !== undefined),
    plugins: made,
    percentage: config.percentageOfNodesToScore ?? percentage,
  };
}

interface Named {
  readonly name: string;
  readonly weight?: number;
}

/** The plugins of an extension point: those of multiPoint, without the disabled ones, then those enabled here alone. */
function namesAt(point: string, config: ProfileConfig): readonly Named[] {
  const base = merged(DEFAULT?.plugins?.['multiPoint']?.enabled ?? [], config.plugins?.['multiPoint']);
  return merged(base, config.plugins?.[point]);
}

function merged(base: readonly Named[], set: PluginSet | undefined): readonly Named[] {
  if (!set) return base;
  const disabled = new Set((set.disabled ?? []).map(each => each.name));
  const enabled = new Map((set.enabled ?? []).map(each => [each.name, each]));
  const kept = base.filter(each => !disabled.has('*') && !disabled.has(each.name));
  const replaced = kept.map(each => enabled.get(each.name) ?? each);
  return [...replaced, ...[...enabled.values()].filter(each => !kept.some(known => known.name === each.name))];
}
