// The applications of tutorials, courses and exams. What answers is what they answer; the pages of guestbook, kuard and webapp-color
// are one line instead of a whole page.
import {only, releases, type Entry, type Family} from './family.ts';
import {redis} from './databases.ts';
import {echoedHeaders} from './requests.ts';
import type {HttpReply} from '../program-model.ts';

const html = 'text/html; charset=utf-8';

/** The older copy of it is built on Alpine, the newer one has nothing but itself. */
function helloApp(version: string, tools = 'none'): Entry {
  return {
    size: '9Mi',
    ports: [8080],
    command: ['/hello-app'],
    tools,
    program: {listen: [8080]},
    modelFor({hostname, environment}) {
      const port = Number(environment.get('PORT') ?? 8080);
      return {
        listen: [port],
        memory: '3Mi',
        log: [{line: `Server listening on port ${port}`, stream: 'stderr'}],
        http: {'*': {body: `Hello, world!\nVersion: ${version}.0.0\nHostname: ${hostname}\n`}},
      };
    },
  };
}

/** A server that says one thing. */
export function says(size: string, port: number, body: string, more: Partial<Entry> = {}): Entry {
  return {size, ports: [port], command: ['/server'], tools: 'none', program: {listen: [port], http: {'*': {body}}}, ...more};
}

/** What it was asked, in nginx's Lua: two editions of one text. */
export function echoServer(version: string): Entry {
  const isOld = version.startsWith('1.4');
  return {
    size: '42Mi',
    ports: [8080],
    command: ['nginx'],
    tools: 'debian',
    program: {listen: [8080]},
    modelFor: ({hostname}) => ({
      listen: [8080],
      respond({request, from}): HttpReply {
        const {method, path, headers = {}} = request;
        const uri = `http://${headers.host ?? hostname}${headers.host?.includes(':') ? '' : ':8080'}${path}`;
        return isOld
          ? {
              body: `CLIENT VALUES:\nclient_address=${from}\ncommand=${method}\nreal path=${path}\nquery=nil\nrequest_version=1.1\nrequest_uri=${uri}\n\nSERVER VALUES:\nserver_version=nginx: 1.10.0 - lua: 10001\n\nHEADERS RECEIVED:\n${echoedHeaders(request, '=')}BODY:\n-no body in request-`,
            }
          : {
              body: `\n\nHostname: ${hostname}\n\nPod Information:\n\t-no pod information available-\n\nServer values:\n\tserver_version=nginx: 1.13.3 - lua: 10008\n\nRequest Information:\n\tclient_address=${from}\n\tmethod=${method}\n\treal path=${path}\n\tquery=\n\trequest_version=1.1\n\trequest_scheme=http\n\trequest_uri=${uri}\n\nRequest Headers:\n${echoedHeaders(request, '=').replaceAll(/^(?=.)/gm, '\t')}\nRequest Body:\n\t-no body in request-\n\n`,
            };
      },
    }),
  };
}

const COLORS: Readonly<Record<string, string>> = {
  red: '#e74c3c',
  green: '#16a085',
  blue: '#2980b9',
  blue2: '#30336b',
  pink: '#be2edd',
  darkblue: '#130f40',
};

function webappColor(usual: string | undefined): Entry {
  return {
    size: '32Mi',
    ports: [8080],
    entrypoint: ['python'],
    command: ['app.py'],
    tools: 'busybox',
    program: {listen: [8080]},
    modelFor({argv, hostname, environment}) {
      const at = argv.indexOf('--color');
      const color = (at < 0 ? undefined : argv[at + 1]) ?? environment.get('APP_COLOR') ?? usual ?? 'red';
      if (!COLORS[color])
        return {exitCode: 1, log: [`Color not supported. Received '${color}' expected one of ${Object.keys(COLORS).join(',')}`]};
      return {
        listen: [8080],
        memory: '25Mi',
        log: [
          ' * Serving Flask app "app" (lazy loading)',
          ' * Running on all addresses.',
          {line: ' * Running on http://0.0.0.0:8080/ (Press CTRL+C to quit)', stream: 'stderr'},
        ],
        http: {
          '/': {
            body: `<!doctype html>\n<title>Hello from Flask</title>\n<body style="background: ${COLORS[color]};"></body>\n<div style="color: #e4e4e4;\n    text-align:  center;\n    height: 90px;\n    vertical-align:  middle;">\n\n  <h1>Hello from ${hostname}!</h1>\n\n</div>`,
            type: html,
          },
          '/color': {body: color},
        },
      };
    },
  };
}

function kuard(color: string): Entry {
  return {
    size: '10Mi',
    ports: [8080],
    command: ['/kuard'],
    tools: 'busybox',
    user: '65534',
    program: {listen: [8080]},
    modelFor: ({hostname}) => ({
      listen: [8080],
      memory: '7Mi',
      http: {
        '/healthy': {body: 'ok'},
        '/ready': {body: 'ok'},
        '/': {
          body: `<!doctype html>\n<html lang="en">\n<head><title>KUAR Demo</title></head>\n<body>${hostname} v0.10.0-${color}</body>\n</html>\n`,
          type: html,
        },
      },
    }),
  };
}

const frontend = says('120Mi', 80, '<html ng-app="redis">\n  <head>\n    <title>Guestbook</title>\n  </head>\n</html>\n', {
  command: ['apache2-foreground'],
  tools: 'debian',
});
const follower = redis('6.0.20', '110Mi');
const HELLO_TAGS = {names: {'1.0': '1', '2.0': '2', latest: '1'}};
const kuardTags = {
  names: {
    blue: 'blue',
    green: 'green',
    purple: 'purple',
    '1': 'blue',
    '2': 'blue',
    '3': 'blue',
    latest: 'blue',
    'v0.10.0-blue': 'blue',
    'v0.10.0-green': 'green',
    'v0.10.0-purple': 'purple',
  },
};

export const SAMPLES: readonly Family[] = [
  {name: 'gcr.io/google-samples/hello-app', tags: HELLO_TAGS, entry: ({version}) => helloApp(version, 'busybox')},
  {name: 'us-docker.pkg.dev/google-samples/containers/gke/hello-app', tags: HELLO_TAGS, entry: ({version}) => helloApp(version)},
  {
    name: 'gcr.io/google-samples/node-hello',
    tags: only('1.0'),
    entry: says('240Mi', 8080, 'Hello Kubernetes!', {
      command: ['/bin/sh', '-c', 'node server.js'],
      tools: 'debian',
      modelFor: () => ({listen: [8080], memory: '30Mi', http: {'*': {body: 'Hello Kubernetes!'}}}),
    }),
  },
  {name: 'gcr.io/google-samples/hello-go-gke', tags: only('1.0'), entry: says('6Mi', 80, '{"message":"Hello"}\n')},
  {name: 'gcr.io/google-samples/hello-frontend', tags: only('1.0'), entry: says('52Mi', 80, '{"message":"Hello"}\n')},
  {name: 'gcr.io/google-samples/gb-frontend', tags: only('v1 v2 v3 v4 v5 v6'), entry: frontend},
  {name: 'us-docker.pkg.dev/google-samples/containers/gke/gb-frontend', tags: only('v5 v6'), entry: frontend},
  {name: 'gcr.io/google_samples/gb-frontend', tags: only('v3 v4 v5'), entry: frontend},
  {name: 'gcr.io/google-samples/gb-redis-follower', tags: only('v1 v2'), entry: follower},
  {name: 'gcr.io/google_samples/gb-redis-follower', tags: only('v1 v2'), entry: follower},
  {name: 'us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower', tags: only('v2'), entry: follower},
  {name: 'gcr.io/google_samples/gb-redisslave', tags: only('v1 v2 v3'), entry: follower},
  {
    name: 'gcr.io/google-samples/cassandra',
    tags: only('v12 v13 v14'),
    entry: {
      size: '140Mi',
      ports: [9042],
      command: ['/run.sh'],
      tools: 'debian',
      program: {startSeconds: 20, listen: [7000, 7199, 9042], cpu: '60m', memory: '420Mi'},
    },
  },
  {name: 'gcr.io/google-samples/xtrabackup', tags: only('1.0'), entry: {size: '80Mi', command: ['bash'], tools: 'debian'}},
  {
    name: 'registry.k8s.io/kubernetes-zookeeper',
    tags: only('1.0-3.4.10'),
    entry: {
      size: '110Mi',
      ports: [2181],
      command: ['start-zookeeper'],
      tools: 'debian',
      program: {startSeconds: 3, listen: [2181, 2888, 3888], memory: '110Mi'},
    },
  },
  {name: 'gcr.io/google-samples/kubernetes-bootcamp', tags: only('v1 v2'), entry: ({tag}) => bootcamp(tag)},
  {name: 'jocatalin/kubernetes-bootcamp', tags: only('v1 v2'), entry: ({tag}) => bootcamp(tag)},
  {
    name: 'registry.k8s.io/echoserver',
    tags: {names: {'1.4': '1.4', '1.8': '1.8', '1.9': '1.9', '1.10': '1.10'}},
    entry: ({version}) => echoServer(version),
  },
  {name: 'registry.k8s.io/e2e-test-images/echoserver', tags: only('2.2 2.3 2.4 2.5'), entry: echoServer('1.10')},
  {name: 'gcr.io/google_containers/echoserver', tags: only('1.4 1.8 1.9 1.10'), entry: echoServer('1.10')},
  {
    name: 'kicbase/echo-server',
    tags: releases('1.0'),
    entry: {
      size: '3Mi',
      ports: [8080],
      command: ['/bin/echo-server'],
      tools: 'none',
      program: {listen: [8080]},
      modelFor: ({hostname}) => ({
        listen: [8080],
        log: [{line: 'Echo server listening on port 8080.', stream: 'stderr'}],
        respond: ({request}) => ({
          body: `Request served by ${hostname}\n\n${request.method} ${request.path} HTTP/1.1\n\n${echoedHeaders(request, ': ', true)}\n`,
        }),
      }),
    },
  },
  {
    name: 'registry.k8s.io/hpa-example',
    tags: only('latest'),
    entry: {
      size: '180Mi',
      ports: [80],
      command: ['apache2-foreground'],
      tools: 'debian',
      program: {
        listen: [80],
        accessLog: true,
        http: {'/': {body: 'OK!', type: html}, '/index.php': {body: 'OK!', type: html}},
        cpu: '1m',
        memory: '10Mi',
        work: {cpuSeconds: 0.06},
      },
    },
  },
  {
    name: 'registry.k8s.io/e2e-test-images/nautilus',
    tags: only('1.5 1.7'),
    entry: says('40Mi', 80, '{\n"image": "nautilus.jpg"\n}\n'),
  },
  {
    name: 'registry.k8s.io/e2e-test-images/kitten',
    tags: only('1.5 1.7'),
    entry: says('40Mi', 80, '{\n"image": "kitten.jpg"\n}\n'),
  },
  {name: 'gcr.io/kuar-demo/kuard-amd64', tags: kuardTags, entry: ({version}) => kuard(version)},
  {
    name: 'kodekloud/webapp-color',
    tags: {names: {latest: 'red', v1: 'blue', v2: 'green', v3: 'red'}},
    entry: ({version, tag}) => webappColor(tag === 'latest' ? undefined : version),
  },
  {
    name: 'kodekloud/event-simulator',
    tags: only('latest'),
    entry: {
      size: '30Mi',
      command: ['python'],
      tools: 'busybox',
      program: {
        memory: '12Mi',
        log: [
          {line: '[root] - INFO - USER1 is viewing page1', every: 1},
          {line: '[root] - INFO - USER3 logged in', after: 2, every: 5},
          {
            line: '[root] - WARNING - USER5 Failed to Login as the account is locked due to MANY FAILED ATTEMPTS.',
            after: 5,
            every: 5,
          },
        ],
      },
    },
  },
  {
    name: 'hello-world',
    tags: only('latest linux nanoserver'),
    entry: {
      size: '10Ki',
      command: ['/hello'],
      tools: 'none',
      program: {
        exitCode: 0,
        log: ['', 'Hello from Docker!', 'This message shows that your installation appears to be working correctly.'],
      },
    },
  },
  {name: 'docker/whalesay', tags: only('latest'), entry: {size: '90Mi', command: ['/bin/bash'], tools: 'debian'}},
  {
    name: 'paulbouwer/hello-kubernetes',
    tags: releases('1.5 1.7 1.8 1.9 1.10', {exact: true}),
    entry: {
      size: '50Mi',
      ports: [8080],
      command: ['npm', 'start'],
      tools: 'busybox',
      program: {listen: [8080]},
      modelFor: ({hostname, environment}) => ({
        listen: [Number(environment.get('PORT') ?? 8080)],
        memory: '30Mi',
        http: {
          '/': {
            body: `<!DOCTYPE html>\n<html>\n<head><title>Hello Kubernetes!</title></head>\n<body>${environment.get('MESSAGE') ?? 'Hello world!'} ${hostname}</body>\n</html>\n`,
            type: html,
          },
        },
      }),
    },
  },
];

/** The server of the first tutorial. */
export function bootcamp(version: string): Entry {
  return {
    size: '80Mi',
    ports: [8080],
    command: ['/bin/sh', '-c', 'node server.js'],
    tools: 'debian',
    program: {listen: [8080]},
    modelFor: ({hostname}) => ({
      listen: [8080],
      memory: '30Mi',
      http: {'/': {body: `Hello Kubernetes bootcamp! | Running on: ${hostname} | v=${version.slice(1)}\n`}},
    }),
  };
}
