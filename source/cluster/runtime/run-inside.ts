// The program that an image is made for, where a shell of the container starts it: `sh -c "…; exec nginx -g 'daemon off;'"`. The model
// of it runs as a process among the others, ends as it is told by signals, and goes with the container. One that would leave the
// foreground (its model ends at once, and listens) goes on in a process of its own.
//
// Not modelled: where its output was redirected to; it is the container's log.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import type {ProgramModel} from './program-model.ts';
import {ModelRun} from './run-model.ts';
import type {Run, RunContext} from './run.ts';

/** What a container lends to such a program. */
export interface Lender {
  readonly context: RunContext;
  /** What a command line makes of the image's program; undefined when it is another one. */
  modelFor(argv: readonly string[], environment: ReadonlyMap<string, string>): ProgramModel | undefined;
  /** Counts the run among those of the container, until the answer is called. */
  count(run: Run): () => void;
}

/** Makes the program; `other` is what these words run where they are for something else. */
export function runInside(lender: Lender, other: Program | undefined): Program {
  return async process => {
    const model = lender.modelFor(process.argv, process.environment);
    if (!model) return other ? other(process) : 127;
    const {exitCode, ...staying} = model;
    const leaves = exitCode === 0 && model.listen !== undefined;
    if (!leaves) return serve(process, lender, model);
    process.spawn(child => serve(child, lender, staying), {argv: process.argv, group: 'new'});
    return 0;
  };
}

async function serve(process: Process, {context, count}: Lender, model: ProgramModel): Promise<number> {
  let code: number | undefined;
  let wake = () => {};
  const {surroundings, sandbox, image, log} = context;
  const run = new ModelRun(
    {
      surroundings,
      sandbox,
      image,
      log,
      get config() {
        return context.config;
      },
      argv: process.argv,
      environment: process.environment,
      machine: () => context.machine(),
      fileText: path => context.fileText(path),
      ended(given) {
        code = given;
        wake();
      },
    },
    model,
  );
  const forget = count(run);
  process.onEnd(() => {
    run.kill();
    forget();
  });
  for (const name of ['TERM', 'QUIT', 'INT'] as const) process.onSignal(name, 'catch');
  while (code === undefined) {
    await process.block(woken => (wake = woken));
    for (const name of process.takeSignals()) run.stop(`SIG${name}`);
  }
  return code;
}
