// A picture of a terminal's screen, for people who want to look: an SVG of its cells, and a PNG of that.
//
//     node test/screens/picture.ts OUT.png COLUMNSxROWS 'keys' …      (`~500` waits half a second, `\r` is Enter)
import {writeFileSync} from 'node:fs';
import {Resvg} from '@resvg/resvg-js';
import {GameTerminal, pause} from './terminal.ts';

const WIDTH = 8.4;
const HEIGHT = 18;
const PALETTE = ['#1c1c1c', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d0d0d0'];

/** The screen as SVG. */
export function picture({screen}: GameTerminal): string {
  const cells: string[] = [];
  for (let row = 0; row < screen.rows; row++) {
    const line = screen.buffer.active.getLine(screen.buffer.active.viewportY + row);
    for (let column = 0; column < screen.cols; column++) {
      const cell = line?.getCell(column);
      const letters = cell?.getChars() ?? '';
      if (!cell || (letters.trim() === '' && !cell.isInverse())) continue;
      const colour = cell.isFgPalette() ? (PALETTE[cell.getFgColor() % 8] ?? '#d0d0d0') : '#d0d0d0';
      const [x, y] = [column * WIDTH, row * HEIGHT];
      if (cell.isInverse()) cells.push(`<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" fill="${colour}"/>`);
      const style = `${cell.isBold() ? ' font-weight="bold"' : ''}${cell.isDim() ? ' opacity="0.55"' : ''}`;
      if (letters.trim() !== '')
        cells.push(
          `<text x="${x}" y="${y + 13}" fill="${cell.isInverse() ? '#1c1c1c' : colour}"${style}>${letters.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`,
        );
    }
  }
  const [width, height] = [screen.cols * WIDTH, screen.rows * HEIGHT + 6];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#1c1c1c"/><g font-family="DejaVu Sans Mono, monospace" font-size="14">${cells.join('')}</g></svg>`;
}

if (process.argv[1] === import.meta.filename) {
  const [out = 'screen.png', size = '80x24', ...keys] = process.argv.slice(2);
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  const game = new GameTerminal({columns, rows});
  for (const each of keys) {
    if (/^~\d+$/.test(each)) await pause(Number(each.slice(1)));
    else game.type(each.replaceAll('\\r', '\r').replaceAll('\\e', '\u001B').replaceAll('\\t', '\t'));
  }
  await pause(300);
  writeFileSync(
    out,
    new Resvg(picture(game), {font: {loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans Mono'}}).render().asPng(),
  );
  game.close();
  process.exit(0);
}
