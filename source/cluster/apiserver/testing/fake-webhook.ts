// A webhook's backend for tests: it answers what it is told to, after a while, and remembers what it was asked.
import {certificatePem} from '../../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../../api/pki/issue.ts';
import {TlsDoor} from '../../../api/wire/tls.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import type {Call} from '../../../sim/network.ts';
import {START, type ServerRoom} from './server-room.ts';

/** What the API server sent. */
export interface Asked {
  readonly uid: string;
  readonly operation: string;
  readonly resource: {readonly group: string; readonly version: string; readonly resource: string};
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly dryRun?: boolean;
  readonly object: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly metadata: {readonly labels?: Record<string, string>};
  } | null;
  readonly oldObject: unknown;
  readonly options: unknown;
}

type Response = Record<string, unknown>;

const AUTHORITY = selfSigned('hook-ca', 'hook-ca-key', START);
export const HOOK_ADDRESS = '10.0.0.50';

/** The bundle by which the backend is trusted. */
export const HOOK_BUNDLE = Buffer.from(certificatePem(AUTHORITY), 'utf8').toString('base64');

/** A backend at https://10.0.0.50:443, each path a webhook of its own. */
export class FakeWebhook {
  readonly asked: (Asked & {readonly path: string})[] = [];
  readonly hungUp: string[] = [];
  delayMs = 0;
  readonly #room: ServerRoom;
  readonly #answers = new Map<string, (asked: Asked) => Response | Answer>();

  constructor(room: ServerRoom) {
    this.#room = room;
    room.network.attach('hook', HOOK_ADDRESS);
    const certificate = issueCertificate(AUTHORITY, {commonName: 'hook', usages: ['server'], addresses: [HOOK_ADDRESS]}, START);
    const door = new TlsDoor(
      {certificate, clientAuthorities: undefined, required: false},
      () => START + room.clock.now,
      () => undefined,
    );
    room.network.listen(HOOK_ADDRESS, 443, call => door.take(call, inner => this.#serve(inner)));
  }

  /** What a path answers: a response (its uid is put in), or a whole HTTP answer. */
  at(path: string, answer: (asked: Asked) => Response | Answer): this {
    this.#answers.set(path, answer);
    return this;
  }

  #serve(call: Call): void {
    const {path, body} = call.request as Request;
    const {request} = body as {readonly request: Asked};
    this.asked.push({path, ...request});
    const given = this.#answers.get(path)?.(request) ?? {allowed: true};
    const isAnswer = typeof given.status === 'number';
    const review = {apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: {uid: request.uid, ...given}};
    const timer = this.#room.clock.after(this.delayMs, () => call.answer(isAnswer ? given : {status: 200, body: review}));
    call.onCancel(() => {
      this.hungUp.push(path);
      this.#room.clock.cancel(timer);
    });
  }
}

/** A JSON patch as a webhook sends it. */
export function patchOf(...steps: readonly object[]): Response {
  return {allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(steps), 'utf8').toString('base64')};
}
