// A container whose image is a component of the cluster (CoreDNS, kube-proxy, etcd): a Daemon like those of the machines, but with
// the network and the files of its pod. What it prints is the container's log.
import {stampedLine} from '../../api/meta/klog.ts';
import {Daemon} from '../../sim/daemon.ts';
import {coursesOf, type ProgramModel} from './program-model.ts';
import type {Run, RunContext} from './run.ts';
import type {StartComponent} from './surroundings.ts';

const PLAIN: ProgramModel = {cpu: '2m', memory: '24Mi'};

/** Starts the component. */
export function runComponent(context: RunContext, start: StartComponent): Run {
  const {surroundings, sandbox, log, image, config} = context;
  const {address} = sandbox;
  const pod = sandbox.config;
  const {clock, trace, dice, wall, kernel} = surroundings;
  const daemon = new Daemon(config.name, kernel.nextPid(), {
    clock,
    trace,
    dice,
    host: pod.hostNetwork ? surroundings.host : pod.name,
    wall,
    dial: sandbox.dialer(),
    listen: (port, listener, at) => sandbox.listen(port, listener, at),
  });
  const since = clock.now;
  daemon.onLog = line => log.line('stderr', stampedLine(line, wall(), 1));
  daemon.onExit = code => context.ended(code);
  daemon.scope.soon(() => {
    start({
      daemon,
      argv: context.argv,
      environment: context.environment,
      files: () => context.machine().files,
      pod: {namespace: pod.namespace, name: pod.name, uid: pod.uid, ip: address},
      node: surroundings.host,
    });
  });
  return {
    stop: () => daemon.terminate(),
    kill() {
      daemon.onExit = undefined;
      daemon.exit(137);
    },
    usage() {
      const {cpu, memory} = coursesOf(image.program ?? PLAIN);
      const seconds = (clock.now - since) / 1000;
      return {cpuCores: cpu.at(seconds), cpuSeconds: cpu.total(seconds), memoryBytes: memory.at(seconds)};
    },
  };
}
