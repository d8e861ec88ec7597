// Images that bring a shell and small programs, for containers with a command of their own.
import {ALPINE, OFFICIAL, only, releases, type Family} from './family.ts';
import {alpineRelease, debianRelease, ubuntuRelease} from './os-release.ts';
import type {Release} from './tags.ts';

const BUSYBOX = releases('1.24.2 1.25.1 1.26.2 1.27.2 1.28.4 1.29.3 1.30.1 1.31.1 1.32.1 1.33.1 1.34.1 1.35.0 1.36.1 1.37.0', {
  variants: /^(musl|glibc|uclibc)$/,
  names: {stable: '1.37.0', unstable: '1.37.0'},
});
const busybox = ({version}: Release) => ({size: '2Mi', command: ['sh'], tools: `busybox ${version}`});
const debian = ({version}: Release) => ({size: '47Mi', command: ['bash'], tools: 'debian', files: debianRelease(version)});
const ubuntu = ({version}: Release) => ({size: '29Mi', command: ['/bin/bash'], tools: 'ubuntu', files: ubuntuRelease(version)});
const redHat = (size: string) => ({size, command: ['/bin/bash'], tools: 'redhat'});
const DEBIAN_NAMES = {
  buster: '10',
  bullseye: '11',
  bookworm: '12',
  trixie: '13',
  stable: '13',
  oldstable: '12',
  testing: '14',
  sid: '14',
};
const UBUNTU_NAMES = {
  xenial: '16.04',
  bionic: '18.04',
  focal: '20.04',
  jammy: '22.04',
  noble: '24.04',
  rolling: '25.10',
  '14.04': '14.04',
  '16.04': '16.04',
  '18.04': '18.04',
  '20.04': '20.04',
  '22.04': '22.04',
  '24.04': '24.04',
  '25.10': '25.10',
  latest: '24.04',
};

export const BASES: readonly Family[] = [
  {name: 'busybox', tags: BUSYBOX, entry: busybox},
  {name: 'public.ecr.aws/docker/library/busybox', tags: BUSYBOX, entry: busybox},
  {name: 'quay.io/prometheus/busybox', tags: only('latest glibc uclibc'), entry: busybox},
  {name: 'registry.k8s.io/busybox', tags: only('latest 1.24 1.27 1.27.2'), entry: busybox},
  {name: 'registry.k8s.io/e2e-test-images/busybox', tags: only('1.29-1 1.29-2 1.29-4 1.36.1-1 1.37.0-1'), entry: busybox},
  {name: 'gcr.io/google-containers/busybox', tags: only('latest 1.24 1.27 1.27.2'), entry: busybox},
  {
    name: 'alpine',
    tags: releases(
      '3.8.5 3.9.6 3.10.9 3.11.13 3.12.12 3.13.12 3.14.10 3.15.11 3.16.9 3.17.10 3.18.12 3.19.9 3.20.8 3.21.5 3.22.2',
      {names: {edge: '3.22.2'}},
    ),
    entry: ({version}) => ({size: '3500Ki', command: ['/bin/sh'], tools: 'alpine', files: alpineRelease(version)}),
  },
  {
    name: 'debian',
    tags: {names: {...DEBIAN_NAMES, latest: '13', '10': '10', '11': '11', '12': '12', '13': '13'}, variants: /^slim$/},
    entry: debian,
  },
  {name: 'registry.k8s.io/build-image/debian-base', tags: only('bookworm-v1.0.6 bookworm-v1.0.4 bookworm-v1.0.2'), entry: debian},
  {name: 'ubuntu', tags: {names: UBUNTU_NAMES}, entry: ubuntu},
  {name: 'centos', tags: only('latest 6 7 8 centos7 centos8 7.9.2009'), entry: redHat('75Mi')},
  {name: 'quay.io/centos/centos', tags: only('stream8 stream9 stream10'), entry: redHat('60Mi')},
  {name: 'rockylinux', tags: only('8 9 9.3 9-minimal'), entry: redHat('65Mi')},
  {name: 'almalinux', tags: only('latest 8 9 10 9-minimal'), entry: redHat('65Mi')},
  {name: 'fedora', tags: releases('36 37 38 39 40 41 42 43', {exact: true}), entry: redHat('60Mi')},
  {name: 'amazonlinux', tags: only('latest 1 2 2023'), entry: redHat('52Mi')},
  {name: 'registry.access.redhat.com/ubi8/ubi', tags: only('latest'), entry: redHat('75Mi')},
  {name: 'registry.access.redhat.com/ubi9/ubi', tags: only('latest'), entry: redHat('75Mi')},
  {name: 'registry.access.redhat.com/ubi9/ubi-minimal', tags: only('latest'), entry: redHat('38Mi')},
  {
    name: 'bash',
    tags: releases('3.2.57 4.0.44 4.1.17 4.2.53 4.3.48 4.4.23 5.0.18 5.1.16 5.2.37 5.3.3', {variants: ALPINE}),
    entry: {size: '5Mi', entrypoint: ['docker-entrypoint.sh'], command: ['bash']},
  },
  {
    name: 'python',
    tags: releases('2.7.18 3.6.15 3.7.17 3.8.20 3.9.24 3.10.19 3.11.14 3.12.12 3.13.9 3.14.0', {variants: OFFICIAL}),
    entry: {size: '60Mi', command: ['python3'], tools: 'python'},
  },
  {
    name: 'node',
    tags: releases('10.24.1 12.22.12 14.21.3 16.20.2 18.20.8 20.19.5 22.21.0 24.11.0 25.1.0', {
      variants: OFFICIAL,
      names: {lts: '24.11.0', current: '25.1.0'},
    }),
    entry: {size: '60Mi', entrypoint: ['docker-entrypoint.sh'], command: ['node']},
  },
  {
    name: 'perl',
    tags: releases('5.30.3 5.32.1 5.34.3 5.36.3 5.38.5 5.40.3 5.42.0', {variants: OFFICIAL}),
    entry: {size: '320Mi', command: ['perl'], tools: 'perl'},
  },
  {
    name: 'golang',
    tags: releases('1.15.15 1.16.15 1.17.13 1.18.10 1.19.13 1.20.14 1.21.13 1.22.12 1.23.12 1.24.9 1.25.3', {variants: OFFICIAL}),
    entry: {size: '280Mi', command: ['bash'], tools: 'debian'},
  },
  {
    name: 'ruby',
    tags: releases('2.7.8 3.0.7 3.1.7 3.2.9 3.3.10 3.4.7', {variants: OFFICIAL}),
    entry: {size: '360Mi', command: ['irb']},
  },
  {
    name: 'curlimages/curl',
    tags: releases(
      '7.65.3 7.70.0 7.72.0 7.78.0 7.84.0 7.85.0 7.87.0 7.88.1 8.1.2 8.4.0 8.5.0 8.6.0 8.7.1 8.8.0 8.9.1 8.10.1 8.11.1 8.12.1 8.13.0 8.14.1 8.15.0 8.16.0',
    ),
    entry: {size: '9Mi', entrypoint: ['/entrypoint.sh'], command: ['curl'], user: 'curl_user', tools: 'curl'},
  },
  {name: 'radial/busyboxplus', tags: only('latest curl git base'), entry: {size: '4Mi', command: ['/bin/sh']}},
  {name: 'yauritux/busybox-curl', tags: only('latest'), entry: {size: '6Mi', command: ['sh']}},
  {
    name: 'nicolaka/netshoot',
    tags: only('latest v0.11 v0.12 v0.13 v0.14'),
    entry: {size: '170Mi', command: ['zsh'], tools: 'netshoot'},
  },
  {name: 'praqma/network-multitool', tags: only('latest extra'), entry: {size: '30Mi', command: ['sh'], tools: 'netshoot'}},
  {
    name: 'wbitt/network-multitool',
    tags: only('latest minimal extra'),
    entry: {size: '30Mi', command: ['sh'], tools: 'netshoot'},
  },
  {
    name: 'registry.k8s.io/e2e-test-images/jessie-dnsutils',
    tags: only('1.3 1.5 1.7'),
    entry: {size: '115Mi', command: ['sleep', 'infinity'], tools: 'netshoot'},
  },
  {
    name: 'gcr.io/kubernetes-e2e-test-images/dnsutils',
    tags: only('1.1 1.3'),
    entry: {size: '9Mi', command: ['sleep', 'infinity'], tools: 'netshoot'},
  },
  {name: 'tutum/dnsutils', tags: only('latest'), entry: {size: '70Mi', command: ['bash'], tools: 'netshoot'}},
  {
    name: 'bitnami/kubectl',
    tags: releases('1.25.16 1.26.15 1.27.16 1.28.15 1.29.13 1.30.14 1.31.13 1.32.9 1.33.5 1.34.2 1.35.0'),
    entry: kubectl('1001'),
  },
  {name: 'bitnamilegacy/kubectl', tags: releases('1.28.15 1.29.13 1.30.14 1.31.13 1.32.9 1.33.4'), entry: kubectl('1001')},
  {
    name: 'rancher/kubectl',
    tags: releases('1.25.16 1.26.15 1.27.16 1.28.15 1.29.15 1.30.14 1.31.13 1.32.9 1.33.5 1.34.1 1.35.0', {
      prefix: 'v',
      strict: true,
    }),
    entry: kubectl('65532'),
  },
  {
    name: 'registry.k8s.io/kubectl',
    tags: releases('1.32.13 1.33.9 1.34.6 1.35.4', {prefix: 'v', strict: true}),
    entry: kubectl('65532'),
  },
  {
    name: 'alpine/k8s',
    tags: releases('1.28.15 1.29.15 1.30.14 1.31.13 1.32.9 1.33.5 1.34.2 1.35.0', {strict: true}),
    entry: {size: '180Mi', command: ['bash'], tools: 'kubectl'},
  },
];

function kubectl(user: string) {
  return {size: '52Mi', entrypoint: ['kubectl'], command: ['--help'], user, tools: 'kubectl'};
}
