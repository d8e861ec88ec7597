// The order of test files: those that take minutes begin first, or one of them would run on alone when all others are done.
import {BaseSequencer, type TestSpecification} from 'vitest/node';

const SLOW = [
  'test/golden/kubectl.test.ts',
  'test/golden/golden.test.ts',
  'test/serve/pair.test.ts',
  'test/screens/play.test.ts',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({moduleId}: TestSpecification): number => {
      const at = SLOW.findIndex(name => moduleId.endsWith(name));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
