import { readFile, writeFile } from 'node:fs/promises'
import type { Trial } from './try-module.ts'

const begin = '<!-- the table begins: npm run modules writes it -->'
const end = '<!-- the table ends -->'

/** Puts how the modules do into a file, between its two marks. */
export async function writeTable(file: string, trials: readonly Trial[]): Promise<void> {
  const text = await readFile(file, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${file} does not have both marks`)
  await writeFile(file, `${before}${begin}\n\n${describe(trials)}\n\n${end}${after}`)
}

/** How many work. */
export function summarise(trials: readonly Trial[]): string {
  const working = trials.filter(({ works }) => works)
  const helped = working.filter(({ module }) => module.beside.length > 0).length
  const more = helped === 0 ? '' : `, ${helped} of them with packages beside them that stand for modules of Node`
  return `${working.length} of ${trials.length} work${more}.`
}

function describe(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => {
    const { module, kilobytes } = trial
    return [`\`${module.name}\``, module.version, kilobytes === undefined ? '' : String(kilobytes), outcome(trial)]
  })
  const cells = [['module', 'version', 'KB in a bundle', 'in a sandbox'], ...rows]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...others] = cells
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [summarise(trials), '', line(head), rule, ...others.map(line)].join('\n')
}

function outcome({ module, works, says = '' }: Trial): string {
  const { name, entry, beside } = module
  const [first = ''] = says.replace(/(\.\.\/)+(?=node_modules)/g, '').split('\n')
  if (!works) return first.replaceAll('|', '\\|')
  const helpers = beside.map((each) => `\`npm install ${each}\``)
  const needed = [...(entry === name ? [] : [`\`${entry}\``]), ...helpers]
  return needed.length === 0 ? 'works' : `works with ${needed.join(' and ')}`
}
