import type { Ink } from './ink.ts'
import type { Line, Size } from './noise.ts'

/** Prints lines of ink on paper as SVG, and then thin cuts of the paper's colour through them. */
export function printDrawing(
  { width, height }: Size,
  { paper, ink }: Ink,
  lines: readonly Line[],
  cuts: readonly Line[],
): string {
  const drawn = lines.map((line) => path(line, line.width)).join('')
  const cut = cuts.map((line) => path(line, 0.9)).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs>${gradient('p', width, paper)}${gradient('i', width, ink)}</defs>` +
    `<rect width="${width}" height="${height}" fill="url(#p)"/>` +
    `<g fill="none" stroke="url(#i)" stroke-linecap="round" stroke-linejoin="round">${drawn}</g>` +
    `<g fill="none" stroke="url(#p)">${cut}</g></svg>`
  )
}

/** In pixels of the image: a gradient of each line's own box is not drawn for a straight line, which has none. */
function gradient(id: string, width: number, [from, to]: readonly [string, string]): string {
  return (
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="${width}" y2="0">` +
    `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`
  )
}

function path({ stroke }: Line, width: number): string {
  const points = stroke.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
  return `<path stroke-width="${width.toFixed(1)}" d="M${points.join('L')}"/>`
}
