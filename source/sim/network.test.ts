import {expect, test} from 'vitest';
import {Clock} from './clock.ts';
import {Network, type Receiver} from './network.ts';

function twoHosts() {
  const clock = new Clock();
  const network = new Network(clock);
  network.attach('a', '10.0.0.1');
  network.attach('b', '10.0.0.2');
  const heard: unknown[] = [];
  const receiver: Receiver = {
    answer: (answer, more) => heard.push([answer, more]),
    frame: frame => heard.push(frame),
    end: failure => heard.push(['end', failure]),
  };
  const run = () => {
    while (clock.step());
  };
  return {clock, network, heard, receiver, run};
}

test('an answer takes a link there and a link back', () => {
  const {clock, network, heard, receiver, run} = twoHosts();
  network.listen('10.0.0.2', 80, call => call.answer(`${String(call.request)}!`));
  network.call('10.0.0.1', '10.0.0.2', 80, 'hello', receiver);
  run();
  expect(heard).toEqual([['hello!', false]]);
  expect(clock.now).toBeCloseTo(0.2);
});

test('a port where nobody listens refuses', () => {
  const {network, heard, receiver, run} = twoHosts();
  network.call('10.0.0.1', '10.0.0.2', 80, 'hello', receiver);
  run();
  expect(heard).toEqual([['end', 'refused']]);
});

test('frames come in order until the end, and none after the caller has cancelled', () => {
  const {network, heard, receiver, run} = twoHosts();
  network.listen('10.0.0.2', 80, call => {
    call.open('head');
    call.send(1);
    call.send(2);
    network.clock.after(1, () => call.send(3));
    network.clock.after(2, () => call.send(4));
  });
  const caller = network.call('10.0.0.1', '10.0.0.2', 80, 'watch', receiver);
  network.clock.after(1.5, () => caller.cancel());
  run();
  expect(heard).toEqual([['head', true], 1, 2, 3]);
});

test('a closed listener resets its open calls', () => {
  const {network, heard, receiver, run} = twoHosts();
  const port = network.listen('10.0.0.2', 80, call => call.open('head'));
  network.call('10.0.0.1', '10.0.0.2', 80, 'watch', receiver);
  network.clock.after(1, () => port?.close());
  run();
  expect(heard).toEqual([
    ['head', true],
    ['end', 'reset'],
  ]);
});

test('what is sent over a cut link is lost, and healing brings nothing back', () => {
  const {network, heard, receiver, run} = twoHosts();
  network.listen('10.0.0.2', 80, call => call.answer('late'));
  network.cut('a', 'b');
  network.call('10.0.0.1', '10.0.0.2', 80, 'hello', receiver);
  network.clock.after(5, () => network.heal());
  run();
  expect(heard).toEqual([]);
  network.call('10.0.0.1', '10.0.0.2', 80, 'hello', receiver);
  run();
  expect(heard).toEqual([['late', false]]);
});

test('a host without power is silent, and does not refuse', () => {
  const {network, heard, receiver, run} = twoHosts();
  network.power('b', false);
  network.call('10.0.0.1', '10.0.0.2', 80, 'hello', receiver);
  run();
  expect(heard).toEqual([]);
});

/** A caller, one who passes calls on, and who serves them in the end. */
function throughTheMiddle() {
  const {clock, network, heard, receiver, run} = twoHosts();
  network.attach('c', '10.0.0.3');
  const served: unknown[] = [];
  const middle = network.listen('10.0.0.2', 80, call =>
    call.pass('10.0.0.3', 8080, () => call.pass('10.0.0.3', 8081, () => call.end('refused'))),
  );
  const listen = (port: number) =>
    network.listen('10.0.0.3', port, call => {
      served.push([call.from, call.to, call.request]);
      call.onFrame(frame => served.push(frame));
      call.onCancel(() => served.push('cancelled'));
      call.open('head');
      call.send(1);
      network.clock.after(5, () => call.send(2));
    });
  const begin = () => network.call('10.0.0.1', '10.0.0.2', 80, 'watch', receiver);
  return {clock, network, heard, served, run, middle, listen, begin};
}

test('what is passed on takes both links, in both directions, and ends are heard at both ends', () => {
  const {clock, network, heard, served, run, listen, begin} = throughTheMiddle();
  listen(8080);
  const caller = begin();
  caller.send('up');
  clock.after(2, () => caller.cancel());
  const firstHeard = () => heard.length > 0;
  while (!firstHeard()) clock.step();
  expect(clock.now).toBeCloseTo(0.4);
  run();
  expect(heard).toEqual([['head', true], 1]);
  expect(served).toEqual([['10.0.0.2', '10.0.0.3:8080', 'watch'], 'up', 'cancelled']);
  expect(network.isListening('10.0.0.3', 8080)).toBe(true);
});

test('who passes on learns of a refusal and may try another', () => {
  const {heard, served, run, listen, begin} = throughTheMiddle();
  begin();
  run();
  expect(heard).toEqual([['end', 'refused']]);
  listen(8081);
  begin();
  run();
  expect(served).toEqual([['10.0.0.2', '10.0.0.3:8081', 'watch']]);
  expect(heard.slice(1)).toEqual([['head', true], 1, 2]);
});

const breaks: readonly [
  string,
  (place: ReturnType<typeof throughTheMiddle>, port: {close(): void} | undefined) => void,
  unknown[],
  unknown[],
][] = [
  ['the one in the middle dies', ({middle}) => middle?.close(), [['end', 'reset']], ['cancelled']],
  ['who serves dies', (_, port) => port?.close(), [['end', 'reset']], []],
  ['the first link is cut', ({network}) => network.cut('a', 'b'), [], []],
  ['the second link is cut', ({network}) => network.cut('b', 'c'), [], []],
  ['the one in the middle has no power', ({network}) => network.power('b', false), [], []],
];

test.each(breaks)('when %s', (_, breakIt, down, up) => {
  const place = throughTheMiddle();
  const port = place.listen(8080);
  place.begin();
  place.clock.after(2, () => breakIt(place, port));
  place.run();
  expect(place.heard).toEqual([['head', true], 1, ...down]);
  expect(place.served.slice(1)).toEqual(up);
});
