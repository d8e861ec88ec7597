// The variables of one shell. There is one map for all; a function's `local` keeps the outer variable aside and brings it back
// when the function ends, which is bash's dynamic scope.

/** A variable of any kind: text, a list (indexed array) or a table (associative array). */
export interface Variable {
  text: string | undefined;
  list: Map<number, string> | undefined;
  table: Map<string, string> | undefined;
  exported: boolean;
  readonly: boolean;
  integer: boolean;
  letters: 'lower' | 'upper' | undefined;
  /** A nameref: the text is the name of another variable. */
  reference: boolean;
}

/** How `name` or `name[subscript]` is split. */
export interface Place {
  readonly name: string;
  readonly subscript: string | undefined;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PLACE = /^([A-Za-z_][A-Za-z0-9_]*)\[(.*)\]$/s;

/** May a variable be called so? */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Splits `name[subscript]`. */
export function placeOf(text: string): Place {
  if (!text.endsWith(']')) return {name: text, subscript: undefined};
  const match = PLACE.exec(text);
  return match ? {name: match[1] ?? '', subscript: match[2]} : {name: text, subscript: undefined};
}

function newVariable(): Variable {
  return {
    text: undefined,
    list: undefined,
    table: undefined,
    exported: false,
    readonly: false,
    integer: false,
    letters: undefined,
    reference: false,
  };
}

function copyOf(variable: Variable): Variable {
  return {...variable, list: variable.list && new Map(variable.list), table: variable.table && new Map(variable.table)};
}

/** All variables that a shell sees. */
export class Variables {
  readonly #all = new Map<string, Variable>();
  readonly #frames: Map<string, Variable | undefined>[] = [];

  get(name: string): Variable | undefined {
    const variable = this.#all.get(name);
    return variable?.reference ? this.#target(variable) : variable;
  }

  /** The variable itself, also where it is a nameref. */
  own(name: string): Variable | undefined {
    return this.#all.get(name);
  }

  /** The name that a nameref stands for, or the name itself. */
  nameOf(name: string): string {
    let current = name;
    for (let hops = 0; hops < 10; hops++) {
      const variable = this.#all.get(current);
      if (!variable?.reference || !variable.text) return current;
      current = variable.text;
    }
    return current;
  }

  #target(variable: Variable): Variable | undefined {
    return variable.text ? this.#all.get(placeOf(this.nameOf(variable.text)).name) : undefined;
  }

  /** The variable of that name, made where there is none. */
  obtain(name: string): Variable {
    const real = this.nameOf(name);
    let variable = this.#all.get(real);
    if (!variable) {
      variable = newVariable();
      this.#all.set(real, variable);
    }
    return variable;
  }

  /** The variable itself, never what a nameref stands for. */
  obtainOwn(name: string): Variable {
    const variable = this.#all.get(name) ?? newVariable();
    this.#all.set(name, variable);
    return variable;
  }

  /** The text of a variable; of a list its element 0. */
  text(name: string): string | undefined {
    const variable = this.get(name);
    return variable && textOf(variable);
  }

  /** Sets plain text, without asking for attributes. */
  setText(name: string, text: string): Variable {
    const variable = this.obtain(name);
    if (variable.list) variable.list.set(0, text);
    else if (variable.table) variable.table.set('0', text);
    else variable.text = text;
    return variable;
  }

  remove(name: string): void {
    this.#all.delete(name);
  }

  names(): string[] {
    return [...this.#all.keys()].sort();
  }

  get isInFunction(): boolean {
    return this.#frames.length > 0;
  }

  enterFunction(): void {
    this.#frames.push(new Map());
  }

  leaveFunction(): void {
    for (const [name, outer] of this.#frames.pop() ?? []) {
      if (outer) this.#all.set(name, outer);
      else this.#all.delete(name);
    }
  }

  /** Begins a variable that lives as long as the running function. */
  makeLocal(name: string): Variable {
    const frame = this.#frames.at(-1);
    const outer = this.#all.get(name);
    if (frame?.has(name) && outer) return outer;
    frame?.set(name, outer);
    const variable = {...newVariable(), exported: outer?.exported ?? false};
    this.#all.set(name, variable);
    return variable;
  }

  isLocal(name: string): boolean {
    return this.#frames.at(-1)?.has(name) ?? false;
  }

  /** The names of the running function's own variables. */
  localNames(): string[] {
    return [...(this.#frames.at(-1)?.keys() ?? [])].sort();
  }

  /** Puts variables aside for the time of one command (`A=1 command`); the answer brings them back. */
  putAside(names: readonly string[]): () => void {
    const before = names.map(name => ({name, variable: this.#all.get(name)}));
    for (const {name, variable} of before) if (variable) this.#all.set(name, copyOf(variable));
    return () => {
      for (const {name, variable} of before) {
        if (variable) this.#all.set(name, variable);
        else this.#all.delete(name);
      }
    };
  }

  /** What a child process gets. */
  environment(): Map<string, string> {
    const environment = new Map<string, string>();
    for (const [name, variable] of this.#all) {
      if (variable.exported && variable.text !== undefined && !variable.list && !variable.table)
        environment.set(name, variable.text);
    }
    return environment;
  }

  /** A copy of its own for a subshell. */
  fork(): Variables {
    const copy = new Variables();
    for (const [name, variable] of this.#all) copy.#all.set(name, copyOf(variable));
    for (const frame of this.#frames) copy.#frames.push(new Map(frame));
    return copy;
  }
}

/** The text of a variable; of a list its element 0. */
export function textOf(variable: Variable): string | undefined {
  if (variable.list) return variable.list.get(0);
  if (variable.table) return variable.table.get('0');
  return variable.text;
}

/** The elements of a list in order of their index. */
export function sortedItems(list: ReadonlyMap<number, string>): [number, string][] {
  return [...list].sort((a, b) => a[0] - b[0]);
}
