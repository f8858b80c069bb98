import { resolve } from 'node:path'
import { comparePublishers } from '../../keeper/check-history.ts'
import { IndexRefusal } from '../../keeper/index-refusal.ts'
import {
  describeSigners,
  findSigningRoot,
  readSignedPublishers,
  signPublishersList,
} from '../../keeper/publishers-list.ts'
import { atMostOneOperand, requiredOption, type Command } from '../command.ts'
import { readSigningKey } from '../key-file.ts'

/** `stoa index sign-keys`: one of several people says who may publish. */
export const indexSignKeys: Command = {
  usage: '[<folder>] --key <key file>',
  summary: 'Signs who may publish, where the index asks several keepers for it.',
  about: [
    'Each keeper runs it in a copy of the index on a machine of the own, so that no key leaves it, and passes the copy on. What',
    'changes is listed, against the last list that enough had signed, or all of it where there is none: look at whose keys they are',
    'before you pass the copy on. It comes into force with the next stoa index build.',
  ],
  examples: ['stoa index sign-keys shared --key keeper-2.key.json'],
  options: { key: 'the private half of a key of the index' },
  async run(operands, { key: keyFile }) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const key = await readSigningKey(requiredOption(keyFile, 'key', 'your key of the index'))
    const root = await findSigningRoot(folder)
    if (!root)
      throw new IndexRefusal('This index asks for no signatures of publishers.json: stoa index build signs it.')
    const before = await readSignedPublishers(folder, root)
    const list = await signPublishersList(folder, [key], root)
    const changes = comparePublishers(before, list.list).map(({ message }) => message)
    return {
      text: [
        `Signed ${list.file} with ${key.kid}: ${describeSigners(list)}.`,
        ...changes.map((change) => `  ${change}`),
        ...(list.missing === 0 ? ['Build the index for it to come into force.'] : []),
      ],
      json: { file: list.file, serial: list.list.serial, changes, signed: list.signed, missing: list.missing },
    }
  },
}
