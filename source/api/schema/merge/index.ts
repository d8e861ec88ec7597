// The patches, by their media types.
export {applyJsonPatch, checkJsonPatch} from './json-patch.ts';
export {type JsonObject, type Patched, sameJson} from './json-value.ts';
export {applyMergePatch, createMergePatch, createThreeWayMergePatch} from './json-merge.ts';
export {applyStrategicPatch} from './strategic.ts';
export {createThreeWayPatch, createTwoWayPatch} from './three-way.ts';
