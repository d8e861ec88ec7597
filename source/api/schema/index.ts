// The public face of the schema engine.
export {decodeKind, decodeType, type Decoded, type DecodeOptions, strictError} from './decode.ts';
export {arrangedBody} from './arranged.ts';
export {applyDefaults} from './defaults/index.ts';
export {jsonSteps, parseJson, type ParsedJson} from './parse-json.ts';
export {printed} from './printed.ts';
export {resolve, type Schema, schemaAt, schemaOf, throughLists, TYPE_NAMES, typeOfKind} from './types.ts';
