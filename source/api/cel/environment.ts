// What an expression may name: variables with their types, and the functions of CEL and of Kubernetes.
import {AUTHORIZER} from './library/authorizer.ts';
import {KUBERNETES} from './library/kubernetes.ts';
import {OPERATORS} from './library/operators.ts';
import {STANDARD} from './library/standard.ts';
import {TEXT_AND_LISTS} from './library/texts.ts';
import {functionsOf, type Functions} from './signatures.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  typeOfType,
  UINT,
} from './types.ts';

/** Variables by name. A name may have a dot in it (`authorizer.requestResource`). */
export type Variables = Readonly<Record<string, CelType>>;

export const FUNCTIONS: Functions = functionsOf(OPERATORS, STANDARD, TEXT_AND_LISTS, KUBERNETES, AUTHORIZER);

/** The types that can be named as values. */
export const TYPE_NAMES: Variables = {
  bool: typeOfType(BOOL),
  int: typeOfType(INT),
  uint: typeOfType(UINT),
  double: typeOfType(DOUBLE),
  string: typeOfType(STRING),
  bytes: typeOfType(BYTES),
  list: typeOfType(listOf(DYN)),
  map: typeOfType(mapOf(DYN, DYN)),
  null_type: typeOfType(NULL),
  type: typeOfType(DYN),
  'google.protobuf.Timestamp': typeOfType(TIMESTAMP),
  'google.protobuf.Duration': typeOfType(DURATION),
};
