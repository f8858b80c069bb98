import { revoke } from '../keeper/change-index.ts'
import { onlyOperand, requiredOption, type Command } from './command.ts'
import { indexOption } from './index-options.ts'

/** `stoa deprecate`: what should be given up, and still runs. */
export const deprecate: Command = {
  usage: '<name> --reason <text> [--versions <range>] [--index <folder>]',
  summary: 'Tells administrators that a plugin, or some of its versions, should not be used any more.',
  about: ['It stays installable and goes on where it runs. For more, see stoa help yank and stoa help index revoke.'],
  examples: ['stoa deprecate acme.sales --reason "Use acme.crm instead" --index plugins'],
  options: {
    reason: 'why, and what to use instead',
    versions: 'which releases, as a range such as "<1.3.2"; all unless given',
    index: indexOption,
  },
  async run(operands, { reason, versions = '*', index = '.' }) {
    const plugin = onlyOperand(operands, 'the name of a plugin')
    const why = requiredOption(reason, 'reason', 'why, and what to use instead')
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
