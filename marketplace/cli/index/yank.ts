import { yankVersion } from '../../keeper/change-index.ts'
import { changeAbout, changeAt, changeFlags, changeOptions } from '../change-at.ts'
import { onlyOperand, requiredOption, UsageError, type Command } from '../command.ts'
import { momentOf, splitRelease } from '../index-options.ts'

/** `stoa index yank`: takes a version back. */
export const indexYank: Command = {
  usage:
    '<name@version> --reason <text> [--undo] [--index <folder or address>] [--key <key file>] [--token-file <file> | --ci]',
  summary: 'Takes a version back: nobody is offered it any more.',
  about: [
    'Who has it keeps it, and who asks for it by its version still gets it. For more, see stoa help index revoke.',
    changeAbout,
    'What is yanked at an address its keeper alone offers again.',
  ],
  examples: ['stoa index yank acme.sales@0.1.0 --reason "Loses entries" --index plugins'],
  options: { ...changeOptions, reason: 'why, for those who have it', at: 'the moment; now unless given' },
  flags: { ...changeFlags, undo: 'offer it again' },
  async run(operands, given, flags) {
    const { reason, index = '.', at } = given
    const [name, version] = splitRelease(onlyOperand(operands, 'a release, as name@version'))
    const undo = flags.has('undo')
    const why = undo ? '' : requiredOption(reason, 'reason', 'why it is taken back')
    const isAtAddress = /^https?:/.test(index)
    if (isAtAddress && (undo || at !== undefined)) throw new UsageError('An address takes neither --undo nor --at.')
    const answer = await changeAt({ action: 'yank', plugin: name, version, reason: why }, given, flags)
    if (answer) return answer
    await yankVersion(index, name, version, { reason: why, at: momentOf(at, 'at'), undo })
    return {
      text: [`${name} ${version} is ${undo ? 'offered again' : 'yanked'}. Build the index for sites to hear of it.`],
      json: { name, version, yanked: !undo },
    }
  },
}
