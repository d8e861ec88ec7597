// The head of a log line as Kubernetes' components write it: `E1130 07:03:08.129840   32444 run.go:72] …`. Components print
// level, place and words (`E run.go:72] "command failed"`); who keeps the line knows the time and the process.
const BARE = /^([IWEF]) (?=[\w.-]+:\d+\] )/;

/** The line with its full head; any other line as it is. */
export function stampedLine(line: string, wallMs: number, pid: number): string {
  if (line.charCodeAt(1) !== 32 || !BARE.test(line)) return line;
  const at = new Date(Math.floor(wallMs)).toISOString();
  const micros = String(Math.floor((wallMs % 1) * 1000)).padStart(3, '0');
  const head = `${line[0]}${at.slice(5, 7)}${at.slice(8, 10)} ${at.slice(11, 23)}${micros} ${String(pid).padStart(7)}`;
  return `${head} ${line.slice(2)}`;
}
