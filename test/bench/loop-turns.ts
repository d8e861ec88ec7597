// Loaded into a `serve` that is measured: how long its event loop was held up. Each SIGUSR2 writes down the longest turn since the last one,
// in milliseconds of this thread's CPU (what others on the machine took does not count) and by the clock, and begins anew.
import {writeFileSync} from 'node:fs';
import {monitorEventLoopDelay} from 'node:perf_hooks';

const file = process.env['CRASHLOOP_TURNS'] ?? '';
const delays = monitorEventLoopDelay({resolution: 1});
let before = process.threadCpuUsage();
let longest = 0;

function look(): void {
  const now = process.threadCpuUsage(before);
  longest = Math.max(longest, (now.user + now.system) / 1000);
  before = process.threadCpuUsage();
}

delays.enable();
setInterval(look, 1).unref();
process.on('SIGUSR2', () => {
  look();
  writeFileSync(file, JSON.stringify({cpuMs: longest, p99Ms: delays.percentile(99) / 1e6, wallMs: delays.max / 1e6}));
  longest = 0;
  delays.reset();
});
