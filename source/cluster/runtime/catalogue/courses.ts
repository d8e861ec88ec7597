// Images of books, courses and exam simulators, and the old names of the project's own, which still lead to the same.
import {echoServer, bootcamp, says} from './samples.ts';
import {only, releases, type Entry, type Family} from './family.ts';
import {echoedHeaders} from './requests.ts';

const SMALL = {size: '2Mi', command: ['sh'], tools: 'busybox'};

/** A server of a few lines of JavaScript, from a book on Kubernetes. */
function kubia(version: string): Entry {
  return {
    size: '250Mi',
    ports: [8080],
    entrypoint: ['node', 'app.js'],
    tools: 'debian',
    program: {listen: [8080]},
    modelFor: ({hostname}) => ({
      listen: [8080],
      memory: '25Mi',
      log: ['Kubia server starting...'],
      http: {'*': {body: version === '' ? `You've hit ${hostname}\n` : `This is ${version} running in pod ${hostname}\n`}},
    }),
  };
}

/** Says what it was asked, line by line. */
const pingPong: Entry = {
  size: '10Mi',
  ports: [8080],
  command: ['/app'],
  tools: 'busybox',
  program: {listen: [8080]},
  modelFor: ({hostname, environment}) => {
    const port = Number(environment.get('SRV_PORT') ?? 8080);
    return {
      listen: [port],
      memory: '8Mi',
      respond: ({request, from}) => ({
        body: `Server Name: ${environment.get('SERVER_NAME') ?? 'ping_pong_server'}\nURL: http://${request.headers?.['host'] ?? hostname}${request.path}\nClient IP: ${from}\nMethod: ${request.method}\nProtocol: HTTP/1.1\nHeaders:\n${echoedHeaders(request, ': ', true)}`,
      }),
    };
  },
};

export const COURSES: readonly Family[] = [
  {name: 'gcr.io/k8s-minikube/kubernetes-bootcamp', tags: only('v1 v2'), entry: ({tag}) => bootcamp(tag)},
  {name: 'k8s.gcr.io/busybox', tags: only('latest 1.24 1.27 1.27.2'), entry: SMALL},
  {name: 'k8s.gcr.io/echoserver', tags: only('1.4 1.8 1.9 1.10'), entry: ({version}) => echoServer(version)},
  {
    name: 'dgkanatsios/simpleapp',
    tags: only('latest'),
    entry: {
      ...says('40Mi', 8080, ''),
      modelFor: ({hostname}) => ({
        listen: [8080],
        memory: '20Mi',
        http: {'*': {body: `Hello world from ${hostname} and version 2.0\n`}},
      }),
    },
  },
  {name: 'luksa/kubia', tags: {names: {latest: '', v1: 'v1', v2: 'v2'}}, entry: ({version}) => kubia(version)},
  {name: 'viktoruj/ping_pong', tags: only('latest'), entry: pingPong},
  {
    name: 'mccutchen/go-httpbin',
    tags: releases('2.15.0 2.18.3', {prefix: 'v'}),
    entry: says('9Mi', 8080, '{}\n', {
      command: ['/bin/go-httpbin'],
      program: {listen: [8080], http: {'/status/200': 200, '/get': 200, '*': 404}},
    }),
  },
  {
    // What the page on image volumes mounts.
    name: 'quay.io/crio/artifact',
    tags: only('v1 v2'),
    entry: {size: '1Ki', tools: 'none', files: {'/dir/file': '1\n', '/file': '2\n'}},
  },
];
