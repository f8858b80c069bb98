import { unpublishVersion } from '../keeper/unpublish-version.ts'
import { onlyOperand, type Command } from './command.ts'
import { indexOption, splitRelease } from './index-options.ts'

/** `stoa unpublish`: undoes a publication that nobody has seen. */
export const unpublish: Command = {
  usage: '<name@version> [--index <folder>]',
  summary: 'Removes a version that the index was not built with yet.',
  about: ['What sites may have is never removed: stoa yank takes it back.'],
  examples: ['stoa unpublish acme.sales@0.1.0 --index plugins'],
  options: { index: indexOption },
  async run(operands, { index = '.' }) {
    const [name, version] = splitRelease(onlyOperand(operands, 'a release, as name@version'))
    await unpublishVersion(index, name, version)
    return { text: [`${name} ${version} is gone from ${index}.`], json: { name, version } }
  },
}
