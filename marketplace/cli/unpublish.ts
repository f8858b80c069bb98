import { unpublishVersion } from '../keeper/unpublish-version.ts'
import { changeAbout, changeAt, changeFlags, changeOptions } from './change-at.ts'
import { onlyOperand, type Command } from './command.ts'
import { splitRelease } from './index-options.ts'

/** `stoa unpublish`: undoes a publication that nobody has seen. */
export const unpublish: Command = {
  usage: '<name@version> [--index <folder or address>] [--key <key file>] [--token-file <file> | --ci]',
  summary: 'Removes a version that the index was not built with yet.',
  about: [
    'What sites may have is never removed: stoa yank takes it back. An address builds after each push, and has seen what it took.',
    changeAbout,
  ],
  examples: ['stoa unpublish acme.sales@0.1.0 --index plugins'],
  options: changeOptions,
  flags: changeFlags,
  async run(operands, given, flags) {
    const [name, version] = splitRelease(onlyOperand(operands, 'a release, as name@version'))
    const answer = await changeAt({ action: 'unpublish', plugin: name, version }, given, flags)
    if (answer) return answer
    const { index = '.' } = given
    await unpublishVersion(index, name, version)
    return { text: [`${name} ${version} is gone from ${index}.`], json: { name, version } }
  },
}
