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
