import { measureRelease, type ReleaseSize } from '../keeper/measure-release.ts'
import { openSubject } from '../keeper/open-subject.ts'
import { onlyOperand, UsageError, wholeNumber, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { alignColumns, showBytes } from './table.ts'

/** `stoa size`: what makes a package large. */
export const size: Command = {
  usage: '<package or folder> [--top <count>]',
  summary: 'Shows what makes a package large, and how near it is to its limits.',
  examples: ['stoa size sales'],
  options: { top: 'how many files and modules are shown; 10 unless given' },
  async run(operands, { top }) {
    const path = onlyOperand(operands, "a package or a plugin's folder")
    const shown = wholeNumber(top, 'top', 1, 10_000, 10)
    return inScratch(async (scratch) => {
      const subject = await openSubject(path, scratch)
      if (!subject) throw new UsageError(`There is no ${path}.`)
      const { name, version } = subject.opened.manifest
      const measured = await measureRelease(subject.opened)
      return {
        text: [
          `${name} ${version}: ${showBytes(measured.zip)} packed, ${showBytes(measured.unpacked)} unpacked`,
          ...lines(measured, shown),
        ],
        json: { name, version, ...measured },
      }
    })
  },
}

function lines({ files, modules, limits }: ReleaseSize, shown: number): readonly string[] {
  const inEntry = modules.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    '',
    ...alignColumns([
      ['limit', 'used', 'of', ''],
      ...limits.map(({ limit, used, most }) => {
        const show = limit === 'files' ? String : showBytes
        return [limit, show(used), show(most), `${((used / most) * 100).toFixed(1)} %`]
      }),
    ]),
    '',
    ...alignColumns([
      ['file', 'size', 'packed'],
      ...files.slice(0, shown).map(({ path, size, packed }) => [path, showBytes(size), showBytes(packed)]),
    ]),
    ...rest(files.length - shown, 'files'),
    ...(modules.length === 0 ? [] : ['']),
    ...alignColumns(
      modules.slice(0, shown).map(({ name, bytes, files }) => {
        return [name, showBytes(bytes), `${((bytes / inEntry) * 100).toFixed(0)} % of the bundle`, `${files} files`]
      }),
    ),
    ...rest(modules.length - shown, 'modules'),
  ]
}

function rest(count: number, what: string): readonly string[] {
  return count > 0 ? [`and ${count} more ${what}`] : []
}
