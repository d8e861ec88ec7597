// The public face of the API server.
export {prefixOf} from './store/keys.ts';
export {startApiServer, type ApiServer} from './server.ts';
export type {ApiServerOptions} from './settings.ts';
export type {AuditSettings} from './audit/audit.ts';
export {LEVELS as AUDIT_LEVELS, STAGES as AUDIT_STAGES} from './audit/policy.ts';
