// One node with its kubelet and its runtime, a registry, and a stand-in for the API server: for stories of what a node does.
import {Client} from '../../../source/client/client.ts';
import {installNetworkPlugin} from '../../../source/cluster/runtime/addresses.ts';
import {familiesOf} from '../../../source/cluster/runtime/catalogue/index.ts';
import {ContainerHost} from '../../../source/cluster/runtime/container-host.ts';
import type {CatalogueEntry} from '../../../source/cluster/runtime/image.ts';
import {startRegistry} from '../../../source/cluster/runtime/registry.ts';
import {startRuntime} from '../../../source/cluster/runtime/start-runtime.ts';
import type {ComponentContext} from '../../../source/cluster/runtime/surroundings.ts';
import {startKubelet} from '../../../source/cluster/kubelet/start-kubelet.ts';
import {RUNTIME_SOCKET} from '../../../source/api/wire/cri.ts';
import type {Answer, Request} from '../../../source/api/wire/http.ts';
import {formatTime} from '../../../source/api/meta/time.ts';
import {Clock} from '../../../source/sim/clock.ts';
import {Daemon, type Dial} from '../../../source/sim/daemon.ts';
import {Dice} from '../../../source/sim/dice.ts';
import {Files} from '../../../source/sim/files.ts';
import {Network} from '../../../source/sim/network.ts';
import {Kernel} from '../../../source/sim/process/kernel.ts';
import type {Program} from '../../../source/sim/process/machine.ts';
import {Trace} from '../../../source/sim/trace.ts';
import {FakeApi, type Stored} from './api.ts';

const START = Date.UTC(2026, 10, 30, 7, 0, 0);
const HOST_ADDRESS = '10.0.0.21';
const REGISTRIES: Readonly<Record<string, string>> = {
  'registry-1.docker.io': '10.0.9.1',
  'registry.k8s.io': '10.0.9.2',
  'registry.local': '10.0.9.3',
  localhost: '127.0.0.1',
};

export interface LabOptions {
  readonly images?: readonly CatalogueEntry[];
  readonly programs?: Readonly<Record<string, Program>>;
  readonly components?: Readonly<Record<string, (context: ComponentContext) => void>>;
}

export class NodeLab {
  readonly clock = new Clock();
  readonly network = new Network(this.clock);
  readonly kernel = new Kernel(this.clock);
  readonly trace = new Trace(this.clock);
  readonly dice = new Dice(7);
  readonly wall = () => START + this.clock.now;
  readonly files = new Files(this.wall);
  readonly api = new FakeApi(this.dice.of('api'), () => formatTime(this.wall()));
  readonly host: ContainerHost;
  runtime: Daemon;
  kubelet: Daemon;

  constructor(options: LabOptions = {}) {
    const {images = [], programs = {}, components = {}} = options;
    const {network, clock, trace, dice, wall, kernel, files} = this;
    for (const [host, address] of [
      ['node-1', HOST_ADDRESS],
      ['node-1', '127.0.0.1'],
      ['cp-1', '10.0.0.10'],
      ['hub', '10.0.9.1'],
      ['k8s', '10.0.9.2'],
      ['local', '10.0.9.3'],
    ] as const)
      network.attach(host, address);
    network.attach('node-1', RUNTIME_SOCKET);
    network.listen('10.0.0.10', 6443, this.api.listener);
    for (const [name, address] of Object.entries(REGISTRIES)) {
      const registry = name === 'registry-1.docker.io' ? 'docker.io' : name;
      startRegistry({
        daemon: this.#daemon(`registry-${registry}`, address),
        name: registry,
        catalogue: images,
        families: familiesOf(registry),
        secretive: registry === 'docker.io',
      });
    }
    installNetworkPlugin(files);
    this.host = new ContainerHost({
      clock,
      trace,
      dice,
      kernel,
      host: 'node-1',
      address: HOST_ADDRESS,
      wall,
      files,
      attachAddress: address => network.attach('node-1', address),
      detachAddress: address => network.detach(address),
      dialFrom: from => this.#dialFrom(from),
      listen: (address, port, listener) => network.listen(address, port, listener),
      programsFor: tools => ({
        program: name => (tools === 'none' ? undefined : programs[name.replace(/^\/bin\//, '')]),
        programNames: () => Object.keys(programs),
      }),
      components: new Map(Object.entries(components)),
    });
    this.runtime = this.startRuntime();
    this.kubelet = this.startKubelet();
  }

  startRuntime(): Daemon {
    const daemon = this.#daemon('containerd', HOST_ADDRESS);
    startRuntime({daemon, host: this.host, resolve: name => REGISTRIES[name]});
    return (this.runtime = daemon);
  }

  startKubelet(): Daemon {
    const daemon = this.#daemon('kubelet', HOST_ADDRESS);
    const client = new Client({daemon, host: '10.0.0.10', port: 6443, credentials: {}, userAgent: 'kubelet/v1.35.4'});
    const size = {cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi'};
    startKubelet({
      daemon,
      client,
      files: this.files,
      node: {
        name: 'node-1',
        addresses: [
          {type: 'InternalIP', address: HOST_ADDRESS},
          {type: 'Hostname', address: 'node-1'},
        ],
        capacity: size,
        allocatable: size,
        nodeInfo: {
          architecture: 'amd64',
          bootID: '',
          containerRuntimeVersion: 'containerd://2.1.5',
          kernelVersion: '6.12.0',
          kubeProxyVersion: '',
          kubeletVersion: 'v1.35.4',
          machineID: '',
          operatingSystem: 'linux',
          osImage: 'Debian GNU/Linux 13 (trixie)',
          systemUUID: '',
        },
      },
    });
    return (this.kubelet = daemon);
  }

  /** A node that is registered and has its range of addresses. */
  static async ready(options: LabOptions = {}): Promise<NodeLab> {
    const lab = new NodeLab(options);
    lab.api.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: 'kube-root-ca.crt', namespace: 'default'},
      data: {'ca.crt': 'PEM'},
    });
    lab.api.put({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {name: 'kubernetes', namespace: 'default'},
      spec: {clusterIP: '10.96.0.1', ports: [{name: 'https', port: 443, protocol: 'TCP'}]},
    });
    await lab.run(500);
    const node = lab.api.get('Node', 'node-1');
    if (!node) throw new Error('the node did not register');
    lab.api.put({...node, spec: {...node['spec'], podCIDR: '10.244.0.0/24'}});
    await lab.run(1500);
    return lab;
  }

  /** Lets virtual time pass. */
  async run(ms: number): Promise<void> {
    await this.kernel.advance(this.clock.now + ms);
  }

  /** A pod that the scheduler has bound. */
  pod(name: string, spec: Record<string, any>, metadata: Record<string, any> = {}): Stored {
    const containers = (spec['containers'] as any[]).map(container => ({
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePath: '/dev/termination-log',
      ...container,
    }));
    return this.api.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name, namespace: 'default', ...metadata},
      spec: {restartPolicy: 'Always', terminationGracePeriodSeconds: 30, nodeName: 'node-1', ...spec, containers},
      status: {phase: 'Pending', qosClass: 'BestEffort'},
    });
  }

  status(name: string): Record<string, any> {
    return this.api.get('Pod', name)?.['status'] ?? {};
  }

  /** Reasons and messages of a pod's events, in order, with counts. */
  events(name: string): string[] {
    return this.api
      .all('Event')
      .filter(event => event['involvedObject'].name === name)
      .map(event => `${event['type']} ${event['reason']}: ${event['message']}`);
  }

  /** What a caller in the pod network gets. */
  async get(address: string, port: number, path: string): Promise<Answer | string> {
    let heard: Answer | string = 'nothing';
    const request: Request = {method: 'GET', path};
    this.network.call(HOST_ADDRESS, address, port, request, {
      answer: answer => (heard = answer as Answer),
      end: failure => (heard = failure ?? 'closed'),
    });
    await this.run(50);
    return heard;
  }

  /** A request to the kubelet, as the API server. */
  async ask(request: Request): Promise<{answer?: Answer; frames: unknown[]; end?: string}> {
    const heard: {answer?: Answer; frames: unknown[]; end?: string} = {frames: []};
    const certificate = {
      commonName: 'kube-apiserver-kubelet-client',
      organizations: ['system:masters'],
      authority: 'kubernetes-ca',
      notBefore: 0,
      notAfter: Infinity,
    };
    this.network.call(
      '10.0.0.10',
      HOST_ADDRESS,
      10250,
      {...request, certificate},
      {
        answer: answer => (heard.answer = answer as Answer),
        frame: frame => heard.frames.push(frame),
        end: failure => (heard.end = failure ?? 'end'),
      },
    );
    await this.run(100);
    return heard;
  }

  #daemon(name: string, address: string): Daemon {
    const {clock, trace, dice, wall} = this;
    return new Daemon(name, this.kernel.nextPid(), {
      clock,
      trace,
      dice,
      wall,
      host: this.network.hostOf(address) ?? 'node-1',
      dial: this.#dialFrom(address),
      listen: (port, listener, at = address) => this.network.listen(at, port, listener),
    });
  }

  #dialFrom(from: string): Dial {
    return (host, port, request, receiver) => this.network.call(from, host, port, request, receiver);
  }
}
