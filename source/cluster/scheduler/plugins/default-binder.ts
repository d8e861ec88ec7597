// Binding is one request, which the loop sends for every profile; the plugin is here so that configurations can name it.
import type {Plugin} from '../framework.ts';

export const defaultBinder: Plugin = {name: 'DefaultBinder'};
