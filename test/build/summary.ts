// Prints the last line of a test run: `N passed, N failed, N skipped`.
import type {TestModule} from 'vitest/node';

export default class Summary {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = {passed: 0, failed: 0, skipped: 0};
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) count.failed++;
      for (const test of module.children.allTests()) {
        const {state} = test.result();
        if (state !== 'pending') count[state]++;
      }
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
