// JSON with numbers of 64 bits, which JavaScript's own writer cannot print: they are given as `Raw`.

/** A number that is printed as it stands. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** One line of JSON; fields that are undefined are left out. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${jsonText(each)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
