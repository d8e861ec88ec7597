export {applying, conflictsText, ownerText, stillAsApplied, type Conflict} from './apply.ts';
export {compare} from './compare.ts';
export {configErrors, errorsText} from './config.ts';
export {beyond, difference, fieldsAt, isEmpty, NO_FIELDS, type FieldSet} from './field-set.ts';
export {ownersOf, ownTheSame, updatedOwners, type Owners, type Writer} from './owners.ts';
export {fieldElement, pathText} from './path-element.ts';
export {ANY, leaf, SET, shapeOfType, type Shape} from './shape.ts';
export {afterWrite, isTracked, listOfOwners, ownersIn} from './tracked.ts';
