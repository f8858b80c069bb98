import { revoke } from '../keeper/change-index.ts'
import { changeAbout, changeAt, changeFlags, changeOptions } from './change-at.ts'
import { onlyOperand, requiredOption, type Command } from './command.ts'

/** `stoa deprecate`: what should be given up, and still runs. */
export const deprecate: Command = {
  usage:
    '<name> --reason <text> [--versions <range>] [--index <folder or address>] [--key <key file>] [--token-file <file> | --ci]',
  summary: 'Tells administrators that a plugin, or some of its versions, should not be used any more.',
  about: [
    'It stays installable and goes on where it runs. For more, see stoa help yank and stoa help index revoke.',
    changeAbout,
  ],
  examples: ['stoa deprecate acme.sales --reason "Use acme.crm instead" --index plugins'],
  options: {
    ...changeOptions,
    reason: 'why, and what to use instead',
    versions: 'which releases, as a range such as "<1.3.2"; all unless given',
  },
  flags: changeFlags,
  async run(operands, given, flags) {
    const { reason, versions = '*', index = '.' } = given
    const plugin = onlyOperand(operands, 'the name of a plugin')
    const why = requiredOption(reason, 'reason', 'why, and what to use instead')
    const answer = await changeAt({ action: 'deprecate', plugin, versions, reason: why }, given, flags)
    if (answer) return answer
    await revoke(index, {
      plugins: [{ plugin, versions, action: 'warn', severity: 'low', reason: why }],
      keys: [],
      licenses: [],
    })
    return {
      text: [`${plugin} ${versions} is deprecated. Build the index for sites to hear of it.`],
      json: { name: plugin, versions, reason: why },
    }
  },
}
