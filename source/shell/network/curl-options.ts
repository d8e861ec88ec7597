// The options of curl that levels use, and its help.
import type {Usage} from '../programs/arguments.ts';

/** Long names stand for letters; those without one of their own get a digit or a sign. */
export const USAGE: Usage = {
  name: 'curl',
  synopsis: '[options...] <url>',
  summary: 'Transfer a URL.',
  letters: 'sSfiIvLkgOo:X:H:d:F:A:e:b:c:u:m:w:x:E:T:G0#n4612:3:5:7:8:9:rJjNqzaRy:Y:K:C:t:P:Z!:%:&:',
  long: {
    silent: 's',
    'show-error': 'S',
    fail: 'f',
    include: 'i',
    head: 'I',
    verbose: 'v',
    location: 'L',
    insecure: 'k',
    'remote-name': 'O',
    output: 'o',
    request: 'X',
    header: 'H',
    data: 'd',
    'data-raw': '2',
    'data-binary': '3',
    json: '5',
    'user-agent': 'A',
    user: 'u',
    'max-time': 'm',
    'write-out': 'w',
    'connect-timeout': '7',
    resolve: '8',
    cacert: '9',
    cert: 'E',
    key: '!',
    get: 'G',
    'upload-file': 'T',
    referer: 'e',
    cookie: 'b',
    'data-urlencode': '%',
    'connect-to': '&',
    'no-progress-meter': '#',
    globoff: 'g',
    http1: '0',
    ipv4: '4',
    ipv6: '6',
    'fail-with-body': 'f',
    'no-buffer': 'N',
    compressed: 'a',
    retry: 't',
    url: 'y',
  },
};

/** As `curl --help` lists them. */
export function helpLines(): string {
  const rows: readonly (readonly [string, string])[] = [
    ['-d, --data <data>', 'HTTP POST data'],
    ['-f, --fail', 'Fail fast with no output on HTTP errors'],
    ['-H, --header <header>', 'Pass custom header to server'],
    ['-I, --head', 'Show document info only'],
    ['-i, --include', 'Include response headers in output'],
    ['-k, --insecure', 'Allow insecure server connections'],
    ['-L, --location', 'Follow redirects'],
    ['-m, --max-time <seconds>', 'Maximum time allowed for transfer'],
    ['-o, --output <file>', 'Write to file instead of stdout'],
    ['-s, --silent', 'Silent mode'],
    ['-S, --show-error', 'Show error even when -s is used'],
    ['-w, --write-out <format>', 'Use output format after completion'],
    ['-X, --request <method>', 'Specify request method to use'],
  ];
  return rows.map(([option, words]) => ` ${option.padEnd(26)}${words}\n`).join('');
}
