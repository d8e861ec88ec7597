// Images that everybody knows, for clusters that no level describes: what they run, listen on, use and need, as far as it can be
// seen from outside. Sizes are those of the compressed layers, about.
import type {CatalogueEntry} from './image.ts';
import type {ProgramModel} from './program-model.ts';

const NGINX_PAGE = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
</head>
<body>
<h1>Welcome to nginx!</h1>
</body>
</html>
`;

function nginx404(version: string): string {
  return `<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/${version}</center>\r\n</body>\r\n</html>\r\n`;
}

function nginx(version: string): ProgramModel {
  const html = 'text/html';
  return {
    listen: [80],
    accessLog: true,
    cpu: '1m',
    memory: '6Mi',
    http: {
      '/': {body: NGINX_PAGE, type: html},
      '/index.html': {body: NGINX_PAGE, type: html},
      '*': {status: 404, body: nginx404(version), type: html},
    },
  };
}

function nginxImages(): CatalogueEntry[] {
  const versions: readonly (readonly [string, string])[] = [
    ['1.14.2', '1.14.2'],
    ['1.16.1', '1.16.1'],
    ['1.19', '1.19.10'],
    ['1.20', '1.20.2'],
    ['1.21', '1.21.6'],
    ['1.23', '1.23.4'],
    ['1.24', '1.24.0'],
    ['1.25', '1.25.5'],
    ['1.26', '1.26.3'],
    ['1.27', '1.27.5'],
    ['1.28', '1.28.0'],
    ['1.29', '1.29.3'],
    ['latest', '1.29.3'],
    ['stable', '1.28.0'],
    ['alpine', '1.29.3'],
    ['1.27-alpine', '1.27.5'],
    ['1.28-alpine', '1.28.0'],
    ['1.27.0', '1.27.0'],
    ['1.27.5', '1.27.5'],
  ];
  return versions.map(([tag, version]) => ({
    image: `nginx:${tag}`,
    size: tag.includes('alpine') ? '20Mi' : '68Mi',
    program: nginx(version),
    entrypoint: ['/docker-entrypoint.sh'],
    command: ['nginx', '-g', 'daemon off;'],
    ports: [80],
    stopSignal: 'SIGQUIT',
    env: {NGINX_VERSION: version},
    tools: `nginx ${version}`,
    files: {'/usr/share/nginx/html/index.html': NGINX_PAGE},
  }));
}

interface Family {
  readonly name: string;
  readonly tags: readonly string[];
  readonly entry: Omit<CatalogueEntry, 'image'>;
}

const FAMILIES: readonly Family[] = [
  {
    name: 'busybox',
    tags: ['latest', '1.28', '1.34', '1.35', '1.36', '1.37', 'stable', 'musl', 'glibc'],
    entry: {size: '2Mi', command: ['sh'], tools: 'busybox'},
  },
  {
    name: 'alpine',
    tags: ['latest', '3', '3.18', '3.19', '3.20', '3.21', '3.22'],
    entry: {size: '3500Ki', command: ['/bin/sh'], tools: 'busybox'},
  },
  {
    name: 'debian',
    tags: ['latest', '12', '13', 'bookworm', 'bookworm-slim', 'trixie'],
    entry: {size: '47Mi', command: ['bash'], tools: 'debian'},
  },
  {name: 'ubuntu', tags: ['latest', '22.04', '24.04'], entry: {size: '29Mi', command: ['/bin/bash'], tools: 'debian'}},
  {name: 'bash', tags: ['latest', '5', '5.2', '5.3'], entry: {size: '5Mi', command: ['bash']}},
  {name: 'python', tags: ['latest', '3', '3.12', '3.13', '3.13-slim', '3-alpine'], entry: {size: '60Mi', command: ['python3']}},
  {name: 'node', tags: ['latest', '20', '22', '24', '24-alpine'], entry: {size: '60Mi', command: ['node']}},
  {name: 'perl', tags: ['latest', '5.34', '5.34.0', '5.40'], entry: {size: '320Mi', command: ['perl']}},
  {
    name: 'curlimages/curl',
    tags: ['latest', '8.10.1', '8.11.0', '8.16.0'],
    entry: {size: '9Mi', entrypoint: ['/entrypoint.sh'], command: ['curl'], user: 'curl_user', tools: 'curl'},
  },
  {
    name: 'redis',
    tags: ['latest', '6', '7', '7.2', '7.4', '8', '7-alpine'],
    entry: {
      size: '45Mi',
      ports: [6379],
      command: ['redis-server'],
      program: {
        listen: [6379],
        cpu: '2m',
        memory: '9Mi',
        log: ['1:C * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo', '1:M * Ready to accept connections tcp'],
      },
    },
  },
  {
    name: 'memcached',
    tags: ['latest', '1.6', '1.6-alpine'],
    entry: {size: '32Mi', ports: [11211], command: ['memcached'], user: '11211', program: {listen: [11211], memory: '2Mi'}},
  },
  {
    name: 'httpd',
    tags: ['latest', '2', '2.4', '2.4-alpine'],
    entry: {
      size: '57Mi',
      ports: [80],
      command: ['httpd-foreground'],
      stopSignal: 'SIGWINCH',
      program: {
        listen: [80],
        accessLog: true,
        memory: '7Mi',
        http: {
          '/': {body: '<html><body><h1>It works!</h1></body></html>\n', type: 'text/html'},
          '*': {status: 404, body: '<html><body><h1>Not Found</h1></body></html>\n', type: 'text/html'},
        },
      },
    },
  },
  {
    name: 'postgres',
    tags: ['latest', '14', '15', '16', '17', '18', '16-alpine', '17-alpine'],
    entry: {
      size: '152Mi',
      ports: [5432],
      entrypoint: ['docker-entrypoint.sh'],
      command: ['postgres'],
      stopSignal: 'SIGINT',
      program: {
        startSeconds: 2,
        listen: [5432],
        cpu: '5m',
        memory: '38Mi',
        log: [{after: 2, line: 'LOG:  database system is ready to accept connections', stream: 'stderr'}],
        needs: {
          env: ['POSTGRES_PASSWORD'],
          message:
            'Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the\n       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".',
        },
      },
    },
  },
  {
    name: 'mysql',
    tags: ['latest', '5.7', '8', '8.0', '8.4', '9'],
    entry: {
      size: '170Mi',
      ports: [3306],
      entrypoint: ['docker-entrypoint.sh'],
      command: ['mysqld'],
      program: {
        startSeconds: 8,
        listen: [3306],
        cpu: '8m',
        memory: '380Mi',
        needs: {
          env: ['MYSQL_ROOT_PASSWORD'],
          message: '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
        },
      },
    },
  },
  {
    name: 'mongo',
    tags: ['latest', '6', '7', '8'],
    entry: {
      size: '270Mi',
      ports: [27017],
      command: ['mongod'],
      program: {startSeconds: 2, listen: [27017], cpu: '6m', memory: '90Mi'},
    },
  },
  {
    name: 'rabbitmq',
    tags: ['latest', '3', '4', '3-management'],
    entry: {
      size: '110Mi',
      ports: [5672],
      command: ['rabbitmq-server'],
      program: {startSeconds: 6, listen: [5672], cpu: '15m', memory: '130Mi'},
    },
  },
  {name: 'fluentd', tags: ['latest', 'v1.16'], entry: {size: '60Mi', program: {cpu: '4m', memory: '60Mi'}, command: ['fluentd']}},
  {
    name: 'traefik/whoami',
    tags: ['latest', 'v1.10', 'v1.11'],
    entry: {size: '3Mi', ports: [80], command: ['/whoami'], tools: 'none', program: {listen: [80], http: {'*': 200}}},
  },
  {
    name: 'hello-world',
    tags: ['latest', 'linux'],
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
  {
    name: 'hashicorp/http-echo',
    tags: ['latest', '0.2.3', '1.0', '1.0.0'],
    entry: {
      size: '3Mi',
      ports: [5678],
      command: ['/http-echo'],
      tools: 'none',
      program: {listen: [5678], http: {'*': {body: 'hello-world\n'}}},
    },
  },
];

/** An image of the control plane, with what its process uses when there is little to do. */
function component(size: string, command: string, program: ProgramModel): Family['entry'] {
  return {size, command: [command], tools: 'none', program};
}

const KUBERNETES: readonly Family[] = [
  {
    name: 'pause',
    tags: ['3.1', '3.2', '3.6', '3.8', '3.9', '3.10', '3.10.1', 'latest'],
    entry: {size: '300Ki', command: ['/pause'], user: '65535:65535', tools: 'none', program: {cpu: '0', memory: '500Ki'}},
  },
  {
    name: 'coredns/coredns',
    tags: ['v1.11.3', 'v1.12.0', 'v1.12.1', 'v1.13.1'],
    entry: {size: '20Mi', entrypoint: ['/coredns'], user: 'nonroot:nonroot', tools: 'none', program: {cpu: '3m', memory: '18Mi'}},
  },
  {name: 'etcd', tags: ['3.6.6-0'], entry: component('23Mi', 'etcd', {cpu: '20m', memory: '64Mi'})},
  {name: 'kube-apiserver', tags: ['v1.35.4'], entry: component('27Mi', 'kube-apiserver', {cpu: '45m', memory: '280Mi'})},
  {
    name: 'kube-controller-manager',
    tags: ['v1.35.4'],
    entry: component('22Mi', 'kube-controller-manager', {cpu: '15m', memory: '55Mi'}),
  },
  {name: 'kube-scheduler', tags: ['v1.35.4'], entry: component('17Mi', 'kube-scheduler', {cpu: '8m', memory: '24Mi'})},
  {
    name: 'kube-proxy',
    tags: ['v1.35.0', 'v1.35.2', 'v1.35.4'],
    entry: {size: '31Mi', tools: 'none', command: ['/usr/local/bin/kube-proxy'], program: {cpu: '2m', memory: '20Mi'}},
  },
  {
    name: 'metrics-server/metrics-server',
    tags: ['v0.7.2', 'v0.8.0', 'v0.8.1'],
    entry: {size: '22Mi', entrypoint: ['/metrics-server'], user: '65534', tools: 'none', program: {cpu: '4m', memory: '22Mi'}},
  },
  {
    name: 'sig-storage/csi-provisioner',
    tags: ['v6.1.0'],
    entry: component('25Mi', '/csi-provisioner', {cpu: '1m', memory: '18Mi'}),
  },
  {name: 'sig-storage/csi-attacher', tags: ['v4.10.0'], entry: component('23Mi', '/csi-attacher', {cpu: '1m', memory: '15Mi'})},
  {name: 'sig-storage/csi-resizer', tags: ['v2.0.0'], entry: component('23Mi', '/csi-resizer', {cpu: '1m', memory: '15Mi'})},
  {
    name: 'sig-storage/csi-node-driver-registrar',
    tags: ['v2.15.0'],
    entry: component('11Mi', '/csi-node-driver-registrar', {cpu: '1m', memory: '9Mi'}),
  },
  {
    name: 'e2e-test-images/agnhost',
    tags: ['2.39', '2.40', '2.43', '2.47', '2.53'],
    entry: {
      size: '50Mi',
      entrypoint: ['/agnhost'],
      command: ['pause'],
      program: {listen: [8080], http: {'/': 200, '/healthz': 200, '/hostname': 200, '*': 404}},
    },
  },
  {name: 'echoserver', tags: ['1.4', '1.10'], entry: {size: '42Mi', ports: [8080], program: {listen: [8080], http: {'*': 200}}}},
  {
    name: 'hpa-example',
    tags: ['latest'],
    entry: {size: '180Mi', ports: [80], program: {listen: [80], http: {'/': {body: 'OK!'}}, cpu: '1m', memory: '10Mi'}},
  },
];

function images(prefix: string, families: readonly Family[]): CatalogueEntry[] {
  return families.flatMap(({name, tags, entry}) => tags.map(tag => ({image: `${prefix}${name}:${tag}`, ...entry})));
}

/** A well-known image by its full name. */
export function wellKnown(image: string): CatalogueEntry | undefined {
  return WELL_KNOWN.find(entry => entry.image === image);
}

/** All of them, of several registries. */
export const WELL_KNOWN: readonly CatalogueEntry[] = [
  ...nginxImages(),
  ...images('', FAMILIES),
  ...images('registry.k8s.io/', KUBERNETES),
];
