import { openSubject } from '../keeper/open-subject.ts'
import { atMostOneOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { alignColumns } from './table.ts'

/** `stoa ls`: what would be published. */
export const ls: Command = {
  usage: '[<folder or package>]',
  summary: 'Lists the files that a package has, or would have.',
  examples: ['stoa ls sales'],
  options: {},
  async run(operands) {
    const path = atMostOneOperand(operands) ?? '.'
    const files = await inScratch(async (scratch) => {
      const subject = await openSubject(path, scratch)
      if (!subject) throw new UsageError(`There is no ${path}.`)
      return subject.opened.files.map(({ path, size }) => ({ path, size }))
    })
    return { text: alignColumns(files.map(({ path, size }) => [path, `${size} bytes`])), json: files }
  },
}
