// Requests that are as large as can be, of every kind that has its own way through the server: texts to be read, lists and maps to be
// decoded, compared and judged, answers to be written. Good ones, and bad ones with errors by the ten thousand.
import {answers} from './answers.ts';
import {customs} from './customs.ts';
import {lists} from './lists.ts';
import {maps} from './maps.ts';
import {texts} from './texts.ts';
import type {LargeRequest} from './request.ts';

/** All of them, in an order in which they can be sent. */
export function largeRequests(): readonly LargeRequest[] {
  return [...answers(), ...maps(), ...texts(), ...lists(), ...customs()];
}
