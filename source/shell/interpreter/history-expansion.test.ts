import {expect, test} from 'vitest';
import {expandHistory} from './history-expansion.ts';

const history = [
  'ls -l /etc/kubernetes/manifests/etcd.yaml',
  `kubectl get pods -o 'jsonpath={.items[*]}' -l app=web`,
  'echo one two three',
];

test.each([
  ['!!', 'echo one two three'],
  ['sudo !!', 'sudo echo one two three'],
  ['vi !$', 'vi three'],
  ['echo !^ !*', 'echo one one two three'],
  ['!-2', history[1]],
  ['!1', history[0]],
  ['!kub', history[1]],
  ['!?app=?', history[1]],
  ['cat !ls:$', 'cat /etc/kubernetes/manifests/etcd.yaml'],
  ['cd !ls:$:h', 'cd /etc/kubernetes/manifests'],
  ['echo !ls:$:t:r', 'echo etcd'],
  ['echo !kub:4', `echo 'jsonpath={.items[*]}'`],
  ['echo !!:1-2', 'echo one two'],
  ['!!:s/one/1/', 'echo 1 two three'],
  ['!!:gs/e/E/', 'Echo onE two thrEE'],
  ['^two^2', 'echo one 2 three'],
  ['echo "!$"', 'echo "three"'],
])('%s', (line, text) => {
  expect(expandHistory(line, history)).toEqual({text, shown: true, onlyShown: false});
});

test.each(['echo hi!', 'echo "hi!"', "echo '!!'", String.raw`echo \!!`, '[ a != b ]', 'if ! true; then :; fi', 'ls !(*.yaml)'])(
  '%s stays',
  line => {
    expect(expandHistory(line, history)).toMatchObject({text: line, shown: false});
  },
);

test.each([
  ['!nothing', {missing: '!nothing', because: 'event not found'}],
  ['!99', {missing: '!99', because: 'event not found'}],
  ['echo !!:7', {missing: ':7', because: 'bad word specifier'}],
  ['^x9^y', {missing: ':s^x9^y', because: 'substitution failed'}],
])('%s is refused', (line, why) => {
  expect(expandHistory(line, history)).toEqual(why);
});
