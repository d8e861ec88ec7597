// The worlds of the course: chapters, each with a theme.

export interface World {
  readonly number: number;
  readonly name: string;
  readonly theme: string;
}

/** The worlds of the course, in the order of the path. */
export const WORLDS: readonly World[] = [
  {number: 1, name: 'The Path', theme: 'from kubectl apply to a running container, one broken link a room'},
  {number: 2, name: 'The Dispatcher', theme: 'scheduling'},
  {number: 3, name: 'The Assembly Line', theme: 'workloads, rollouts, configuration'},
  {number: 4, name: 'The Boiler Room', theme: 'resources, quota, priority, eviction'},
  {number: 5, name: 'The Switchboard', theme: 'Services, DNS, policies, ingress'},
  {number: 6, name: 'The Warehouse', theme: 'storage and identity'},
  {number: 7, name: 'The Gatehouse', theme: 'access, admission, webhooks'},
  {number: 8, name: 'The Engine Room', theme: 'control plane and etcd surgery'},
  {number: 9, name: 'The Night Shift', theme: 'incidents'},
];
