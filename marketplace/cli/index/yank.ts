import { yankVersion } from '../../keeper/change-index.ts'
import { onlyOperand, requiredOption, type Command } from '../command.ts'
import { indexOption, momentOf, splitRelease } from '../index-options.ts'

/** `stoa index yank`: takes a version back. */
export const indexYank: Command = {
  usage: '<name@version> --reason <text> [--undo] [--index <folder>]',
  summary: 'Takes a version back: nobody is offered it any more.',
  about: [
    'Who has it keeps it, and who asks for it by its version still gets it. For more, see stoa help index revoke.',
  ],
  examples: ['stoa index yank acme.sales@0.1.0 --reason "Loses entries" --index plugins'],
  options: { reason: 'why, for those who have it', index: indexOption, at: 'the moment; now unless given' },
  flags: { undo: 'offer it again' },
  async run(operands, { reason, index = '.', at }, flags) {
    const [name, version] = splitRelease(onlyOperand(operands, 'a release, as name@version'))
    const undo = flags.has('undo')
    const why = undo ? '' : requiredOption(reason, 'reason', 'why it is taken back')
    await yankVersion(index, name, version, { reason: why, at: momentOf(at, 'at'), undo })
    return {
      text: [`${name} ${version} is ${undo ? 'offered again' : 'yanked'}. Build the index for sites to hear of it.`],
      json: { name, version, yanked: !undo },
    }
  },
}
