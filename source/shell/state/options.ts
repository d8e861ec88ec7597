// The options of `set` and of `shopt`.

/** The options of `set`, by long name, with their letters. */
export const SET_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['allexport', 'a'],
  ['braceexpand', 'B'],
  ['emacs', ''],
  ['errexit', 'e'],
  ['errtrace', 'E'],
  ['functrace', 'T'],
  ['hashall', 'h'],
  ['histexpand', 'H'],
  ['history', ''],
  ['ignoreeof', ''],
  ['interactive-comments', ''],
  ['keyword', 'k'],
  ['monitor', 'm'],
  ['noclobber', 'C'],
  ['noexec', 'n'],
  ['noglob', 'f'],
  ['nolog', ''],
  ['notify', 'b'],
  ['nounset', 'u'],
  ['onecmd', 't'],
  ['physical', 'P'],
  ['pipefail', ''],
  ['posix', ''],
  ['privileged', 'p'],
  ['verbose', 'v'],
  ['vi', ''],
  ['xtrace', 'x'],
]);

/** The options of `shopt` in bash's order; those with a `+` are on at the start. Many only stand here to be asked for and set. */
const SHOPT_TEXT =
  'autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs +checkwinsize +cmdhist ' +
  'compat31 compat32 compat40 compat41 compat42 compat43 compat44 +complete_fullquote ' +
  'direxpand dirspell dotglob execfail expand_aliases extdebug extglob +extquote ' +
  'failglob +force_fignore +globasciiranges +globskipdots globstar gnu_errfmt histappend histreedit ' +
  'histverify +hostcomplete huponexit inherit_errexit +interactive_comments lastpipe lithist localvar_inherit ' +
  'localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation nullglob ' +
  '+patsub_replacement +progcomp progcomp_alias +promptvars restricted_shell shift_verbose +sourcepath varredir_close ' +
  'xpg_echo';

/** The options of `shopt`, and whether they are on at the start. */
export const SHOPT_OPTIONS: ReadonlyMap<string, boolean> = new Map(
  SHOPT_TEXT.split(' ').map(text => [text.replace('+', ''), text.startsWith('+')]),
);

/** Which options are on. The ones that are asked often are fields. */
export class Options {
  errexit = false;
  nounset = false;
  xtrace = false;
  pipefail = false;
  noglob = false;
  noclobber = false;
  allexport = false;
  verbose = false;
  readonly #on = new Set<string>(['braceexpand', 'hashall', 'interactive-comments']);
  readonly #shopt = new Set<string>([...SHOPT_OPTIONS].filter(([, on]) => on).map(([name]) => name));

  has(name: string): boolean {
    return this.#on.has(name);
  }

  /** False when there is no such option. */
  set(name: string, on: boolean): boolean {
    if (!SET_OPTIONS.has(name)) return false;
    if (on) this.#on.add(name);
    else this.#on.delete(name);
    this.#refresh();
    return true;
  }

  /** The name that belongs to a letter. */
  static nameOf(letter: string): string | undefined {
    for (const [name, short] of SET_OPTIONS) if (short === letter && letter !== '') return name;
    return undefined;
  }

  /** The names of all that are on, sorted. */
  get names(): string[] {
    return [...this.#on].sort();
  }

  /** What $- says. */
  get letters(): string {
    let letters = '';
    for (const [name, letter] of SET_OPTIONS) if (this.#on.has(name)) letters += letter;
    return letters
      .split('')
      .sort((a, b) => order(a) - order(b))
      .join('');
  }

  /** The names of the options of `shopt` that are on, sorted. */
  get shoptNames(): string[] {
    return [...this.#shopt].sort();
  }

  shopt(name: string): boolean {
    return this.#shopt.has(name);
  }

  setShopt(name: string, on: boolean): void {
    if (on) this.#shopt.add(name);
    else this.#shopt.delete(name);
  }

  fork(): Options {
    const copy = new Options();
    copy.#on.clear();
    for (const name of this.#on) copy.#on.add(name);
    copy.#shopt.clear();
    for (const name of this.#shopt) copy.#shopt.add(name);
    copy.#refresh();
    return copy;
  }

  #refresh(): void {
    this.errexit = this.#on.has('errexit');
    this.nounset = this.#on.has('nounset');
    this.xtrace = this.#on.has('xtrace');
    this.pipefail = this.#on.has('pipefail');
    this.noglob = this.#on.has('noglob');
    this.noclobber = this.#on.has('noclobber');
    this.allexport = this.#on.has('allexport');
    this.verbose = this.#on.has('verbose');
  }
}

/** Lower-case letters first, as $- has them. */
function order(letter: string): number {
  const code = letter.charCodeAt(0);
  return code >= 97 ? code - 97 : code;
}
