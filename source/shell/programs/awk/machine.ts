// What a running program of awk knows: its variables, the record at hand, its input and its channels.
import type {Process} from '../../../sim/process/process.ts';
import type {Steps} from '../../state/steps.ts';
import {Chance} from './builtins.ts';
import {Cell} from './cells.ts';
import {Channels} from './channels.ts';
import {openRecords} from './records.ts';
import type {RecordReader} from './records.ts';
import {Record} from './record.ts';
import {AwkProblem, unescaped} from './tokens.ts';
import type {AwkProgram, Expression, Statement} from './tree.ts';
import {fromOutside, numberOf, textOf} from './values.ts';
import type {Value} from './values.ts';

const MOST_TEXT = 8 * 1024 * 1024;
const DEEPEST_CALL = 400;

/** Why statements are left. */
export type Leave = 'next' | 'nextfile' | 'break' | 'continue' | 'exit' | 'return' | undefined;

/** How statements and awk's own functions are run: given from outside, as they and expressions call each other. */
export interface Interpreter {
  readonly execute: (awk: Machine, statement: Statement) => Steps<Leave>;
  readonly call: (awk: Machine, call: Extract<Expression, {type: 'call'}>) => Steps<Value>;
}

export class Machine {
  readonly process: Process;
  readonly program: AwkProgram;
  readonly channels: Channels;
  readonly chance = new Chance();
  readonly record: Record;
  readonly interpreter: Interpreter;
  readonly #globals = new Map<string, Cell>();
  #frame: ReadonlyMap<string, Cell> | undefined;
  #depth = 0;
  #reader: RecordReader | undefined;
  #argument = 1;
  #sawFile = false;
  status = 0;
  returned: Value;
  /** A file could not be opened. */
  failed = false;

  constructor(process: Process, program: AwkProgram, interpreter: Interpreter) {
    this.process = process;
    this.program = program;
    this.interpreter = interpreter;
    this.channels = new Channels(process);
    this.record = new Record({
      fieldSeparator: () => this.text('FS'),
      outputSeparator: () => this.text('OFS'),
      numberFormat: () => this.numberFormat,
      isParagraph: () => this.text('RS') === '',
    });
    const values = {
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      NR: 0,
      FNR: 0,
      RSTART: 0,
    };
    for (const [name, value] of Object.entries({...values, RLENGTH: -1})) this.cell(name).value = value;
    for (const [name, value] of process.environment) this.cell('ENVIRON').array.set(name, fromOutside(value));
    this.chance.start(process.pid * 7919 + Math.floor(process.kernel.clock.now));
    this.chance.seed = 0;
  }

  wall(): number {
    return this.process.machine.wall();
  }

  get numberFormat(): string {
    const {value} = this.cell('CONVFMT');
    return typeof value === 'string' ? value : '%.6g';
  }

  isSpecial(name: string): boolean {
    return name === 'NF' && !this.#frame?.has(name);
  }

  cell(name: string): Cell {
    let cell = this.#frame?.get(name) ?? this.#globals.get(name);
    if (!cell) {
      cell = new Cell();
      this.#globals.set(name, cell);
    }
    return cell;
  }

  variable(name: string): Value {
    return this.isSpecial(name) ? this.record.count : this.cell(name).value;
  }

  setVariable(name: string, value: Value): void {
    if (this.isSpecial(name)) this.record.count = numberOf(value);
    else this.cell(name).value = value;
  }

  text(name: string): string {
    return textOf(this.variable(name), '%.6g');
  }

  /** A text that grows without end stops the program. */
  allocate(value: Value): void {
    if (typeof value === 'string' && value.length > MOST_TEXT) throw new AwkProblem('out of memory');
  }

  /** `name=value`, as -v and operands have it; false when it is none. */
  assignText(text: string): boolean {
    const match = /^([A-Za-z_]\w*)=([^]*)$/.exec(text);
    if (!match) return false;
    this.setVariable(match[1] ?? '', fromOutside(unescaped(match[2] ?? '')));
    return true;
  }

  *inFrame(frame: ReadonlyMap<string, Cell>, body: Statement): Steps<Value> {
    if (this.#depth >= DEEPEST_CALL) throw new AwkProblem('function call nesting too deep');
    const before = this.#frame;
    this.#frame = frame;
    this.#depth++;
    this.returned = undefined;
    const leave = yield* this.interpreter.execute(this, body);
    this.#depth--;
    this.#frame = before;
    if (leave === 'exit' || leave === 'next' || leave === 'nextfile') throw new Left(leave);
    const value = this.returned;
    this.returned = undefined;
    return value;
  }

  countRecord(): void {
    for (const name of ['NR', 'FNR']) this.cell(name).value = numberOf(this.cell(name).value) + 1;
  }

  /** The next record of the operands; undefined at the end of all. */
  async nextRecord(): Promise<string | undefined> {
    for (;;) {
      if (!this.#reader && !(await this.#open())) return undefined;
      const separator = this.text('RS');
      if (this.#reader?.mayWait(separator)) await this.channels.flush();
      const record = await this.#reader?.next(separator);
      if (record !== undefined) {
        this.countRecord();
        return record;
      }
      this.leaveFile();
    }
  }

  leaveFile(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Opens the next operand, carrying out those that are assignments. */
  async #open(): Promise<boolean> {
    const count = numberOf(this.cell('ARGC').value);
    while (this.#argument < count) {
      const name = textOf(this.cell('ARGV').array.get(String(this.#argument++)), '%.6g');
      if (name === '' || this.assignText(name)) continue;
      this.#sawFile = true;
      const reader = openRecords(this.process, name);
      if (typeof reader === 'string') {
        await this.channels.flush();
        await this.process.err(`awk: cannot open ${name} (${reader})\n`);
        this.failed = true;
        continue;
      }
      this.#begin(reader, name);
      return true;
    }
    if (this.#sawFile) return false;
    this.#sawFile = true;
    const reader = openRecords(this.process, '-');
    if (typeof reader === 'string') return false;
    this.#begin(reader, '');
    return true;
  }

  #begin(reader: RecordReader, name: string): void {
    this.#reader = reader;
    this.cell('FILENAME').value = name;
    this.cell('FNR').value = 0;
  }
}

/** `exit` or `next` within a function leaves what called it, too. */
export class Left extends Error {
  readonly leave: 'exit' | 'next' | 'nextfile';
  constructor(leave: 'exit' | 'next' | 'nextfile') {
    super(leave);
    this.leave = leave;
  }
}
