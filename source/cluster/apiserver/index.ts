// The public face of the API server.
export {prefixOf} from './store/keys.ts';
export {startApiServer, type ApiServer} from './server.ts';
export type {ApiServerOptions} from './settings.ts';
