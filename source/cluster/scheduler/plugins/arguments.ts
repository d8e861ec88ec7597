/** The arguments of a plugin, as the configuration gives them. */
export type PluginArguments = Readonly<Record<string, unknown>>;
