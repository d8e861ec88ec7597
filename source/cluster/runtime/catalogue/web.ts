// Web servers and what runs behind them. httpd, caddy and whoami answer as they do; tomcat, php, wordpress, haproxy, traefik and
// jenkins are stand-ins that listen and answer their first page.
import type {ProgramModel} from '../program-model.ts';
import {ALPINE, OFFICIAL, releases, sized, type Entry, type Family} from './family.ts';
import {echoedHeaders, valueOf} from './requests.ts';

const html = 'text/html';

function httpdPage(status: number): {status: number; body: string; type: string} {
  const words: Readonly<Record<number, readonly [string, string]>> = {
    403: ['Forbidden', "You don't have permission to access this resource."],
    404: ['Not Found', 'The requested URL was not found on this server.'],
  };
  const [title = 'Bad Request', text = ''] = words[status] ?? [];
  const body = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`;
  return {status, body, type: `${html}; charset=iso-8859-1`};
}

const HTDOCS = '/usr/local/apache2/htdocs';
const HTTPD_TAGS = releases('2.2.34 2.4.65', {variants: /^(alpine(3\.\d{1,2})?|bookworm|trixie|bullseye)$/});

function httpd(version: string): Omit<Entry, 'size'> {
  return {
    ports: [80],
    command: ['httpd-foreground'],
    stopSignal: 'SIGWINCH',
    files: {[`${HTDOCS}/index.html`]: '<html><body><h1>It works!</h1></body></html>\n'},
    program: {
      listen: [80],
      accessLog: true,
      memory: '7Mi',
      server: `Apache/${version} (Unix)`,
      log: [
        {
          line: "AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using 127.0.0.1. Set the 'ServerName' directive globally to suppress this message",
          stream: 'stderr',
        },
      ],
      serves: {folder: HTDOCS, page: httpdPage},
    },
  };
}

/** traefik/whoami: who was asked, and how. */
const whoami: Entry = {
  size: '3Mi',
  ports: [80],
  entrypoint: ['/whoami'],
  tools: 'none',
  program: {listen: [80]},
  modelFor({argv, hostname, environment}) {
    const port = Number(valueOf(argv, 'port') ?? environment.get('WHOAMI_PORT_NUMBER') ?? 80);
    const name = valueOf(argv, 'name') ?? environment.get('WHOAMI_NAME');
    return {
      listen: [port],
      log: [{line: `Starting up on port ${port}`, stream: 'stderr'}],
      http: {'/health': {body: ''}},
      respond: ({request, from}) => ({
        body: `${name === undefined ? '' : `Name: ${name}\n`}Hostname: ${hostname}\nIP: 127.0.0.1\nIP: ::1\nRemoteAddr: ${from}:43210\n${request.method} ${request.path} HTTP/1.1\n${echoedHeaders(request, ': ', true)}\n`,
      }),
    };
  },
};

/** hashicorp/http-echo: one text for all. */
const httpEcho: Entry = {
  size: '3Mi',
  ports: [5678],
  entrypoint: ['/http-echo'],
  tools: 'none',
  program: {listen: [5678]},
  modelFor({argv, environment}) {
    const listen = valueOf(argv, 'listen') ?? ':5678';
    const text = valueOf(argv, 'text') ?? environment.get('ECHO_TEXT') ?? 'hello-world';
    const status = Number(valueOf(argv, 'status-code') ?? 200);
    if (text === '') return {exitCode: 127, log: [{line: 'Missing -text option!', stream: 'stderr'}]};
    return {
      listen: [Number(listen.slice(listen.lastIndexOf(':') + 1))],
      log: [{line: `[INFO] server is listening on ${listen}`, stream: 'stderr'}],
      http: {'*': {status, body: `${text}\n`}, '/health': {body: '{"status":"ok"}', type: 'application/json'}},
    };
  },
};

function page(
  size: string,
  command: string,
  port: number,
  {title, program = {}, more = {}}: {readonly title: string; readonly program?: ProgramModel; readonly more?: Partial<Entry>},
): Entry {
  const body = `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`;
  return {
    size,
    ports: [port],
    command: [command],
    tools: 'debian',
    program: {listen: [port], http: {'/': {body, type: html}}, ...program},
    ...more,
  };
}

const podinfo: Entry = {
  size: '35Mi',
  ports: [9898],
  command: ['./podinfo'],
  tools: 'busybox',
  user: '100',
  program: {listen: [9898]},
  modelFor: ({hostname, environment}) => ({
    listen: [9898, 9999, 9797],
    memory: '20Mi',
    http: {
      '/': {
        body: `{\n  "hostname": "${hostname}",\n  "version": "6.9.2",\n  "color": "${environment.get('PODINFO_UI_COLOR') ?? '#34577c'}",\n  "message": "${environment.get('PODINFO_UI_MESSAGE') ?? 'greetings from podinfo v6.9.2'}"\n}`,
        type: 'application/json; charset=utf-8',
      },
      '/healthz': {body: '{\n  "status": "OK"\n}', type: 'application/json; charset=utf-8'},
      '/readyz': {body: '{\n  "status": "OK"\n}', type: 'application/json; charset=utf-8'},
      '/version': {body: '{\n  "version": "6.9.2"\n}', type: 'application/json; charset=utf-8'},
    },
  }),
};

export const WEB: readonly Family[] = [
  {
    name: 'httpd',
    tags: HTTPD_TAGS,
    entry: release => ({
      ...httpd(release.version),
      size: sized(release, '57Mi', '20Mi'),
      tools: release.variant === '' ? 'debian' : 'busybox',
    }),
  },
  {
    name: 'registry.k8s.io/e2e-test-images/httpd',
    tags: {names: {'2.4.38-1': '2.4.38', '2.4.38-2': '2.4.38', '2.4.38-4': '2.4.38', '2.4.39-1': '2.4.39', '2.4.39-4': '2.4.39'}},
    entry: ({version}) => ({...httpd(version), size: '40Mi', tools: 'busybox'}),
  },
  {name: 'traefik/whoami', tags: releases('1.8.7 1.9.0 1.10.4 1.11.0', {prefix: 'v'}), entry: whoami},
  {name: 'containous/whoami', tags: releases('1.4.0 1.5.0', {prefix: 'v'}), entry: whoami},
  {name: 'hashicorp/http-echo', tags: releases('0.2.3 1.0.0'), entry: httpEcho},
  {
    name: 'caddy',
    tags: releases('2.6.4 2.7.6 2.8.4 2.9.1 2.10.2', {variants: /^(alpine|builder)$/}),
    entry: page('17Mi', 'caddy', 80, {title: 'Caddy works!', more: {tools: 'busybox'}}),
  },
  {
    name: 'php',
    tags: releases('5.6.40 7.0.33 7.1.33 7.2.34 7.3.33 7.4.33 8.0.30 8.1.33 8.2.29 8.3.27 8.4.14', {
      variants: /^((apache|fpm|cli|zts)(-(buster|bullseye|bookworm|trixie|alpine(3\.\d{1,2})?))?|alpine)$/,
    }),
    entry: ({variant}) =>
      variant.startsWith('apache')
        ? {
            size: '180Mi',
            ports: [80],
            entrypoint: ['docker-php-entrypoint'],
            command: ['apache2-foreground'],
            tools: 'debian',
            stopSignal: 'SIGWINCH',
            program: {
              listen: [80],
              accessLog: true,
              memory: '18Mi',
              server: 'Apache/2.4.65 (Debian)',
              serves: {folder: '/var/www/html', page: httpdPage},
            },
            files: {'/var/www/html/.keep': ''},
          }
        : variant.startsWith('fpm')
          ? {
              size: '170Mi',
              ports: [9000],
              entrypoint: ['docker-php-entrypoint'],
              command: ['php-fpm'],
              tools: 'debian',
              stopSignal: 'SIGQUIT',
              program: {
                listen: [9000],
                memory: '12Mi',
                log: [
                  {line: 'NOTICE: fpm is running, pid 1', stream: 'stderr'},
                  {line: 'NOTICE: ready to handle connections', stream: 'stderr'},
                ],
              },
            }
          : {size: '170Mi', entrypoint: ['docker-php-entrypoint'], command: ['php'], tools: 'debian'},
  },
  {
    name: 'tomcat',
    tags: releases('8.5.100 9.0.111 10.1.48 11.0.13', {variants: /^((jdk|jre)\d{1,2}(-[a-z]+)*|slim)$/}),
    entry: {
      size: '190Mi',
      ports: [8080],
      command: ['catalina.sh', 'run'],
      tools: 'debian',
      program: {
        startSeconds: 3,
        listen: [8080],
        cpu: '6m',
        memory: '110Mi',
        termCode: 143,
        log: [
          {
            after: 3,
            line: 'INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [3000] milliseconds',
            stream: 'stderr',
          },
        ],
        http: {
          '*': {
            status: 404,
            body: '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head><body><h1>HTTP Status 404 – Not Found</h1></body></html>',
            type: html,
          },
        },
      },
    },
  },
  {
    name: 'wordpress',
    tags: releases('4.8.3 4.9.8 5.9.5 6.0.3 6.1.1 6.2.2 6.3.2 6.4.3 6.5.5 6.6.2 6.7.2 6.8.3', {
      variants: /^((php\d\.\d-)?(apache|fpm|fpm-alpine)|php\d\.\d|cli)$/,
    }),
    entry: page('230Mi', 'apache2-foreground', 80, {
      title: 'WordPress &rsaquo; Installation',
      program: {
        accessLog: true,
        startSeconds: 3,
        memory: '45Mi',
        respond: ({request}) =>
          request.path === '/wp-admin/install.php'
            ? {
                body: '<!DOCTYPE html>\n<html lang="en-US">\n<head><title>WordPress &rsaquo; Installation</title></head>\n</html>\n',
                type: html,
              }
            : request.path === '/'
              ? {status: 302, headers: {location: '/wp-admin/install.php'}}
              : undefined,
        http: {},
      },
      more: {entrypoint: ['docker-entrypoint.sh'], stopSignal: 'SIGWINCH'},
    }),
  },
  {
    name: 'haproxy',
    tags: releases('2.4.30 2.6.23 2.8.16 3.0.12 3.1.9 3.2.7', {variants: OFFICIAL, names: {lts: '3.2.7'}}),
    entry: {
      size: '40Mi',
      entrypoint: ['docker-entrypoint.sh'],
      command: ['haproxy', '-f', '/usr/local/etc/haproxy/haproxy.cfg'],
      tools: 'debian',
      user: '99',
      stopSignal: 'SIGUSR1',
      program: {
        needs: {
          files: ['/usr/local/etc/haproxy/haproxy.cfg'],
          message:
            '[ALERT]    (1) : config : [haproxy.main()] Cannot open configuration file/directory $NAME : No such file or directory',
        },
        memory: '20Mi',
      },
    },
  },
  {
    name: 'traefik',
    tags: releases('2.9.10 2.10.7 2.11.30 3.0.4 3.1.7 3.2.5 3.3.7 3.4.5 3.5.4 3.6.0', {prefix: 'v'}),
    entry: {
      size: '48Mi',
      entrypoint: ['/entrypoint.sh'],
      command: ['traefik'],
      tools: 'busybox',
      program: {listen: [80], memory: '40Mi', http: {'*': {status: 404, body: '404 page not found\n'}}},
    },
  },
  {
    name: 'jenkins/jenkins',
    tags: {names: {lts: '2.528.1', latest: '2.535', 'lts-jdk17': '2.528.1', 'lts-jdk21': '2.528.1', 'lts-alpine': '2.528.1'}},
    entry: {
      size: '240Mi',
      ports: [8080, 50000],
      entrypoint: ['/usr/bin/tini'],
      command: ['jenkins.sh'],
      user: '1000:1000',
      tools: 'debian',
      program: {
        startSeconds: 25,
        listen: [8080, 50000],
        cpu: '10m',
        memory: '420Mi',
        termCode: 143,
        http: {
          '/login': 200,
          '*': {status: 403, body: '<html><head></head><body>Authentication required</body></html>', type: html},
        },
      },
    },
  },
  {
    name: 'stefanprodan/podinfo',
    tags: releases('5.2.1 6.0.4 6.1.8 6.2.3 6.3.6 6.4.1 6.5.4 6.6.3 6.7.1 6.8.0 6.9.2'),
    entry: podinfo,
  },
  {name: 'ghcr.io/stefanprodan/podinfo', tags: releases('6.3.6 6.4.1 6.5.4 6.6.3 6.7.1 6.8.0 6.9.2'), entry: podinfo},
  {
    name: 'nginxdemos/hello',
    tags: {names: {latest: '0.4', '0.2': '0.2', '0.3': '0.3', '0.4': '0.4', 'plain-text': '0.4'}},
    entry: {
      size: '20Mi',
      ports: [80],
      command: ['nginx'],
      tools: 'busybox',
      program: {listen: [80]},
      modelFor: ({hostname}) => ({
        listen: [80],
        accessLog: true,
        memory: '6Mi',
        respond: ({request, now}) => ({
          body: `Server address: ${request.headers?.host ?? hostname}\nServer name: ${hostname}\nDate: ${new Date(now).toUTCString()}\nURI: ${request.path}\nRequest ID: ${'0'.repeat(32)}\n`,
        }),
      }),
    },
  },
  {name: 'ealen/echo-server', tags: releases('0.5.1 0.6.0 0.7.0 0.8.12 0.9.2', {variants: ALPINE}), entry: echoServer(80)},
  {
    name: 'mendhak/http-https-echo',
    tags: releases('23 24 25 26 27 28 29 30 31 32 33 34 35 36 37', {exact: true}),
    entry: echoServer(8080),
  },
  {
    name: 'jmalloc/echo-server',
    tags: releases('0.3.7'),
    entry: {
      size: '3Mi',
      command: ['/bin/echo-server'],
      tools: 'none',
      program: {listen: [8080]},
      modelFor: ({hostname}) => ({
        listen: [8080],
        respond: ({request}) => ({
          body: `Request served by ${hostname}\n\n${request.method} ${request.path} HTTP/1.1\n\n${echoedHeaders(request, ': ', true)}\n`,
        }),
      }),
    },
  },
];

/** They give a request back as JSON. */
function echoServer(port: number): Entry {
  return {
    size: '50Mi',
    ports: [port],
    command: ['node'],
    tools: 'busybox',
    program: {listen: [port]},
    modelFor: ({hostname, environment}) => ({
      listen: [Number(environment.get('PORT') ?? environment.get('HTTP_PORT') ?? port)],
      memory: '30Mi',
      respond: ({request, from}) => ({
        body: JSON.stringify({
          host: {hostname: request.headers?.host ?? '', ip: from},
          http: {method: request.method, originalUrl: request.path},
          request: {headers: request.headers ?? {}, query: request.query ?? {}},
          os: {hostname},
        }),
        type: 'application/json; charset=utf-8',
      }),
    }),
  };
}
