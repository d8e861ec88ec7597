import {defineConfig} from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['source/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    isolate: false,
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
