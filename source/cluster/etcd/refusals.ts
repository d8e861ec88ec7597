// Every refusal that a client may read, with etcd 3.6's code and text.
import type {Refusal, RefusalCode} from '../../api/wire/etcd.ts';

function refusal(code: RefusalCode, message: string): Refusal {
  return Object.freeze({error: Object.freeze({code, message: `etcdserver: ${message}`})});
}

/** The refusals by name. */
export const refusals = {
  noLeader: refusal('Unavailable', 'no leader'),
  notLeader: refusal('FailedPrecondition', 'not leader'),
  timeout: refusal('Unavailable', 'request timed out'),
  timeoutLeaderLost: refusal('Unavailable', 'request timed out, possibly due to previous leader failure'),
  timeoutConnectionLost: refusal('Unavailable', 'request timed out, possibly due to connection lost'),
  transferTimeout: refusal('Unavailable', 'request timed out, leader transfer took too long'),
  stopped: refusal('Unavailable', 'server stopped'),
  compacted: refusal('OutOfRange', 'mvcc: required revision has been compacted'),
  future: refusal('OutOfRange', 'mvcc: required revision is a future revision'),
  noSpace: refusal('ResourceExhausted', 'mvcc: database space exceeded'),
  keyNotFound: refusal('InvalidArgument', 'key not found'),
  rootUserMissing: refusal('FailedPrecondition', 'root user does not exist'),
  authNotEnabled: refusal('FailedPrecondition', 'authentication is not enabled'),
  rootRoleMissing: refusal('FailedPrecondition', 'root user does not have root role'),
  authFailed: refusal('InvalidArgument', 'authentication failed, invalid user ID or password'),
  permissionDenied: refusal('PermissionDenied', 'permission denied'),
  invalidToken: refusal('Unauthenticated', 'invalid auth token'),
  invalidAuthManagement: refusal('InvalidArgument', 'invalid auth management'),
  roleNotFound: refusal('FailedPrecondition', 'role name not found'),
  roleExists: refusal('FailedPrecondition', 'role name already exists'),
  roleEmpty: refusal('InvalidArgument', 'role name is empty'),
  roleNotGranted: refusal('FailedPrecondition', 'role is not granted to the user'),
  permissionNotGranted: refusal('FailedPrecondition', 'permission is not granted to the role'),
  userNotFound: refusal('FailedPrecondition', 'user name not found'),
  userExists: refusal('FailedPrecondition', 'user name already exists'),
  userEmpty: refusal('InvalidArgument', 'user name is empty'),
  emptyKey: refusal('InvalidArgument', 'key is not provided'),
  duplicateKey: refusal('InvalidArgument', 'duplicate key given in txn request'),
  tooManyOperations: refusal('InvalidArgument', 'too many operations in txn request'),
  tooLarge: refusal('InvalidArgument', 'request is too large'),
  leaseNotFound: refusal('NotFound', 'requested lease not found'),
  leaseExists: refusal('FailedPrecondition', 'lease already exists'),
  leaseTtlTooLarge: refusal('OutOfRange', 'too large lease TTL'),
  memberNotFound: refusal('NotFound', 'member not found'),
  memberRemoved: {error: {code: 'Unknown', message: 'membership: ID removed'}},
  memberExists: refusal('FailedPrecondition', 'member ID already exist'),
  peerUrlExists: refusal('FailedPrecondition', 'Peer URLs already exists'),
  badPeerUrls: refusal('InvalidArgument', 'given member URLs are invalid'),
  notEnoughStarted: {error: {code: 'Unknown', message: 'etcdserver: re-configuration failed due to not enough started members'}},
  unhealthy: refusal('Unavailable', 'unhealthy cluster'),
  notLearner: refusal('FailedPrecondition', 'can only promote a learner member'),
  learnerNotReady: refusal('FailedPrecondition', 'can only promote a learner member which is in sync with leader'),
  tooManyLearners: refusal('FailedPrecondition', 'too many learner members in cluster'),
  notForLearner: refusal('FailedPrecondition', 'rpc not supported for learner'),
  badTransferee: refusal('FailedPrecondition', 'bad leader transferee'),
} as const satisfies Record<string, Refusal>;

/** Is this answer a refusal? */
export function isRefusal(answer: object): answer is Refusal {
  return 'error' in answer;
}
