// An expression as a little program for the matcher: instructions that take a character, fork, or look at a place.
import type {Node, Place, Test} from './tree.ts';

/** Instructions. `fork` prefers its first way. */
export type Instruction =
  | {readonly kind: 'char'; readonly code: number}
  | {readonly kind: 'set'; readonly test: Test}
  | {readonly kind: 'fork'; first: number; second: number}
  | {readonly kind: 'jump'; to: number}
  | {readonly kind: 'save'; readonly slot: number}
  | {readonly kind: 'place'; readonly place: Place}
  | {readonly kind: 'match'};

/** More instructions than this are refused. */
const MOST_INSTRUCTIONS = 20_000;

/** Makes the program; undefined when it would be too big. */
export function compileTree(node: Node, ignoreCase: boolean): readonly Instruction[] | undefined {
  const writer = new Writer(ignoreCase);
  writer.write(node);
  writer.add({kind: 'match'});
  return writer.isTooBig ? undefined : writer.program;
}

class Writer {
  readonly program: Instruction[] = [];
  readonly #ignoreCase: boolean;
  isTooBig = false;

  constructor(ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
  }

  add<T extends Instruction>(instruction: T): T {
    this.program.push(instruction);
    return instruction;
  }

  write(node: Node): void {
    if (this.program.length > MOST_INSTRUCTIONS) {
      this.isTooBig = true;
      return;
    }
    switch (node.kind) {
      case 'char':
        this.add(
          this.#ignoreCase ? {kind: 'set', test: eitherCase(code => code === node.code)} : {kind: 'char', code: node.code},
        );
        return;
      case 'set':
        this.add({kind: 'set', test: this.#ignoreCase ? eitherCase(node.test) : node.test});
        return;
      case 'row':
        for (const each of node.nodes) this.write(each);
        return;
      case 'choice':
        this.#choice(node.nodes);
        return;
      case 'group':
        this.add({kind: 'save', slot: node.index * 2});
        this.write(node.node);
        this.add({kind: 'save', slot: node.index * 2 + 1});
        return;
      case 'place':
        this.add({kind: 'place', place: node.place});
        return;
      case 'repeat':
        this.#repeat(node);
        return;
      default:
        // These are never given to this matcher.
        this.isTooBig = true;
    }
  }

  #choice(nodes: readonly Node[]): void {
    const jumps: {to: number}[] = [];
    for (const [index, node] of nodes.entries()) {
      if (index === nodes.length - 1) {
        this.write(node);
        break;
      }
      const fork = this.add({kind: 'fork', first: this.program.length + 1, second: 0});
      this.write(node);
      jumps.push(this.add({kind: 'jump', to: 0}));
      fork.second = this.program.length;
    }
    for (const jump of jumps) jump.to = this.program.length;
  }

  #repeat({node, least, most}: Node & {kind: 'repeat'}): void {
    for (let count = 0; count < least; count++) this.write(node);
    if (most === Infinity) {
      const fork = this.add({kind: 'fork', first: this.program.length + 1, second: 0});
      const at = this.program.length - 1;
      this.write(node);
      this.add({kind: 'jump', to: at});
      fork.second = this.program.length;
      return;
    }
    const forks: {second: number}[] = [];
    for (let count = least; count < most && !this.isTooBig; count++) {
      forks.push(this.add({kind: 'fork', first: this.program.length + 1, second: 0}));
      this.write(node);
    }
    for (const fork of forks) fork.second = this.program.length;
  }
}

function eitherCase(test: Test): Test {
  return code => {
    if (test(code)) return true;
    const char = String.fromCharCode(code);
    const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
    return other.length === 1 && test(other.charCodeAt(0));
  };
}
