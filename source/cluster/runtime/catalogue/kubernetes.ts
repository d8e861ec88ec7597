// The parts of Kubernetes itself and of what is added to it. Those that the world knows as components run as such; of the others
// (ingress controllers, dashboards) the program only runs: it listens and does nothing.
import {component, only, releases, type Family} from './family.ts';

const RELEASES = releases('1.25.16 1.26.15 1.27.16 1.28.15 1.29.15 1.30.14 1.31.14 1.32.13 1.33.9 1.34.6 1.35.4', {
  prefix: 'v',
  strict: true,
});
const PAUSE = releases('3.1 3.2 3.3 3.4.1 3.5 3.6 3.7 3.8 3.9 3.10 3.10.1', {
  exact: true,
  names: {go: '3.10', '2.0': '2.0', '1.0': '1.0', '0.8.0': '0.8.0'},
});
const pause = {size: '300Ki', command: ['/pause'], user: '65535:65535', tools: 'none', program: {cpu: '0', memory: '500Ki'}};

export const KUBERNETES: readonly Family[] = [
  {name: 'registry.k8s.io/pause', tags: PAUSE, entry: pause},
  {name: 'k8s.gcr.io/pause', tags: only('3.1 3.2 3.4.1 3.5 3.6 3.7'), entry: pause},
  {name: 'gcr.io/google_containers/pause', tags: only('3.0 3.1 3.2 latest'), entry: pause},
  {
    name: 'registry.k8s.io/coredns/coredns',
    tags: releases('1.8.6 1.9.4 1.10.1 1.11.4 1.12.4 1.13.2', {prefix: 'v', strict: true}),
    entry: {size: '20Mi', entrypoint: ['/coredns'], user: 'nonroot:nonroot', tools: 'none', program: {cpu: '3m', memory: '18Mi'}},
  },
  {
    name: 'coredns/coredns',
    tags: releases('1.8.7 1.9.4 1.10.1 1.11.4 1.12.4 1.13.1'),
    entry: {size: '20Mi', entrypoint: ['/coredns'], tools: 'none', program: {listen: [53], cpu: '3m', memory: '18Mi'}},
  },
  {
    name: 'registry.k8s.io/etcd',
    tags: only(
      '3.4.13-0 3.5.0-0 3.5.1-0 3.5.3-0 3.5.4-0 3.5.6-0 3.5.7-0 3.5.9-0 3.5.10-0 3.5.12-0 3.5.15-0 3.5.16-0 3.5.21-0 3.5.24-0 3.6.4-0 3.6.5-0 3.6.6-0',
    ),
    entry: component('23Mi', 'etcd', {cpu: '20m', memory: '64Mi'}),
  },
  {
    name: 'registry.k8s.io/kube-apiserver',
    tags: RELEASES,
    entry: component('27Mi', 'kube-apiserver', {cpu: '45m', memory: '280Mi'}),
  },
  {
    name: 'registry.k8s.io/kube-controller-manager',
    tags: RELEASES,
    entry: component('22Mi', 'kube-controller-manager', {cpu: '15m', memory: '55Mi'}),
  },
  {
    name: 'registry.k8s.io/kube-scheduler',
    tags: RELEASES,
    entry: component('17Mi', 'kube-scheduler', {cpu: '8m', memory: '24Mi'}),
  },
  {
    name: 'registry.k8s.io/kube-proxy',
    tags: RELEASES,
    entry: {size: '31Mi', tools: 'none', command: ['/usr/local/bin/kube-proxy'], program: {cpu: '2m', memory: '20Mi'}},
  },
  {
    name: 'registry.k8s.io/metrics-server/metrics-server',
    tags: releases('0.5.2 0.6.4 0.7.2 0.8.1', {prefix: 'v', strict: true}),
    entry: {size: '22Mi', entrypoint: ['/metrics-server'], user: '65534', tools: 'none', program: {cpu: '4m', memory: '22Mi'}},
  },
  {
    name: 'registry.k8s.io/sig-storage/csi-provisioner',
    tags: only('v6.1.0'),
    entry: component('25Mi', '/csi-provisioner', {cpu: '1m', memory: '18Mi'}),
  },
  {
    name: 'registry.k8s.io/sig-storage/csi-attacher',
    tags: only('v4.10.0'),
    entry: component('23Mi', '/csi-attacher', {cpu: '1m', memory: '15Mi'}),
  },
  {
    name: 'registry.k8s.io/sig-storage/csi-resizer',
    tags: only('v2.0.0'),
    entry: component('23Mi', '/csi-resizer', {cpu: '1m', memory: '15Mi'}),
  },
  {
    name: 'registry.k8s.io/sig-storage/csi-node-driver-registrar',
    tags: only('v2.15.0'),
    entry: component('11Mi', '/csi-node-driver-registrar', {cpu: '1m', memory: '9Mi'}),
  },
  {
    name: 'registry.k8s.io/ingress-nginx/controller',
    tags: releases('1.5.2 1.6.4 1.7.1 1.8.5 1.9.6 1.10.6 1.11.8 1.12.8 1.13.4 1.14.0', {prefix: 'v', strict: true}),
    entry: {
      size: '105Mi',
      ports: [80, 443],
      entrypoint: ['/usr/bin/dumb-init'],
      command: ['/nginx-ingress-controller'],
      user: '101',
      tools: 'busybox',
      program: {cpu: '3m', memory: '90Mi'},
    },
  },
  {
    name: 'registry.k8s.io/ingress-nginx/kube-webhook-certgen',
    tags: only(
      'v1.1.1 v1.3.0 v1.4.0 v1.4.1 v1.4.3 v1.4.4 v1.5.0 v1.5.1 v1.5.2 v1.6.0 v1.6.1 v1.6.2 v1.6.3 v1.6.4 v20221220-controller-v1.5.1-58-g787ea74b6 v20231226-1a7112e06',
    ),
    entry: {...component('20Mi', '/kube-webhook-certgen', {memory: '10Mi'}), entrypoint: ['/kube-webhook-certgen'], command: []},
  },
  {
    name: 'registry.k8s.io/defaultbackend-amd64',
    tags: only('1.5'),
    entry: component('2Mi', '/server', {
      listen: [8080],
      http: {'/healthz': 200, '*': {status: 404, body: 'default backend - 404'}},
    }),
  },
  {
    name: 'registry.k8s.io/kube-state-metrics/kube-state-metrics',
    tags: releases('2.8.2 2.9.2 2.10.1 2.11.0 2.12.0 2.13.0 2.14.0 2.15.0 2.16.0 2.17.0', {prefix: 'v', strict: true}),
    entry: component('15Mi', '/kube-state-metrics', {
      listen: [8080, 8081],
      memory: '18Mi',
      http: {'/healthz': 200, '/livez': 200, '/readyz': 200, '/metrics': 200},
    }),
  },
  {
    name: 'registry.k8s.io/node-problem-detector/node-problem-detector',
    tags: only('v0.1 v0.8.13 v0.8.19 v0.8.20'),
    entry: component('60Mi', '/node-problem-detector', {listen: [20257], memory: '20Mi'}),
  },
  {
    name: 'registry.k8s.io/cpa/cluster-proportional-autoscaler',
    tags: only('v1.8.9 v1.9.0'),
    entry: component('15Mi', '/cluster-proportional-autoscaler', {memory: '12Mi'}),
  },
  {
    name: 'kubernetesui/dashboard',
    tags: releases('2.5.1 2.6.1 2.7.0', {prefix: 'v'}),
    entry: component('70Mi', '/dashboard', {listen: [8443, 9090], memory: '25Mi', http: {'/': 200}}),
  },
  {
    name: 'kubernetesui/metrics-scraper',
    tags: releases('1.0.9', {prefix: 'v'}),
    entry: component('19Mi', '/metrics-sidecar', {listen: [8000], memory: '12Mi', http: {'/': 200}}),
  },
  {
    name: 'calico/node',
    tags: releases('3.26.5 3.27.5 3.28.5 3.29.6 3.30.4 3.31.0', {prefix: 'v'}),
    entry: component('130Mi', 'start_runit', {cpu: '20m', memory: '90Mi'}),
  },
  {
    name: 'ghcr.io/flannel-io/flannel',
    tags: releases('0.25.7 0.26.7 0.27.4', {prefix: 'v'}),
    entry: component('32Mi', '/opt/bin/flanneld', {cpu: '3m', memory: '22Mi'}),
  },
  {
    name: 'quay.io/cilium/cilium',
    tags: releases('1.15.19 1.16.16 1.17.9 1.18.3', {prefix: 'v'}),
    entry: component('220Mi', 'cilium-agent', {cpu: '25m', memory: '180Mi'}),
  },
  {
    name: 'quay.io/jetstack/cert-manager-controller',
    tags: releases('1.14.7 1.15.5 1.16.5 1.17.4 1.18.3 1.19.1', {prefix: 'v'}),
    entry: component('22Mi', '/app/cmd/controller/controller', {listen: [9402], memory: '25Mi'}),
  },
  {
    name: 'rancher/local-path-provisioner',
    tags: releases('0.0.31', {prefix: 'v'}),
    entry: component('15Mi', 'local-path-provisioner', {memory: '14Mi'}),
  },
];
