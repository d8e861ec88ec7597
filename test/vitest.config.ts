import {defineConfig} from 'vitest/config';
import {SlowFirst} from './build/slow-first.ts';

// Tests of the rooms run in threads that share modules; those that run the bundle need it made first (CRASHLOOP_BUNDLE=1).
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['source/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    isolate: false,
    pool: 'threads',
    maxWorkers: 2,
    sequence: {sequencer: SlowFirst},
    testTimeout: 120_000,
    hookTimeout: 120_000,
    ...(process.env['CRASHLOOP_BUNDLE']
      ? {globalSetup: ['test/build/setup.ts']}
      : {exclude: ['test/{golden,package,screens,serve}/**', 'node_modules/**']}),
  },
});
