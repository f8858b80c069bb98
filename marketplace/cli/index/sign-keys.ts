import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { comparePublishers } from '../../keeper/check-history.ts'
import { IndexRefusal } from '../../keeper/index-refusal.ts'
import {
  describeSigners,
  findListToSign,
  findSigningRoot,
  readSignedPublishers,
  requireKeysOf,
  signList,
} from '../../keeper/publishers-list.ts'
import { atMostOneOperand, requiredOption, type Command } from '../command.ts'
import { readSigningKey } from '../key-file.ts'

/** `stoa index sign-keys`: one of several people says who may publish. */
export const indexSignKeys: Command = {
  usage: '[<folder>] --key <key file> [--yes] [--dry-run]',
  summary: 'Signs who may publish, where the index asks several keepers for it.',
  about: [
    'Each keeper runs it in a copy of the index on a machine of the own, so that no key leaves it, and passes the copy on. What',
    'changes is listed first, against the last list that enough had signed, or all of it where there is none: look at whose keys they',
    'are. Then it asks, or without a terminal wants --yes. It comes into force with the next stoa index build.',
  ],
  examples: [
    'stoa index sign-keys shared --key keeper-2.key.json --dry-run',
    'stoa index sign-keys shared --key keeper-2.key.json --yes',
  ],
  options: { key: 'the private half of a key of the index' },
  flags: { yes: 'what changes was looked at, and is meant', 'dry-run': 'only list what changes' },
  async run(operands, { key: keyFile }, flags) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const key = await readSigningKey(requiredOption(keyFile, 'key', 'your key of the index'))
    const root = await findSigningRoot(folder)
    if (!root)
      throw new IndexRefusal('This index asks for no signatures of publishers.json: stoa index build signs it.')
    requireKeysOf(root, [key])
    const before = await readSignedPublishers(folder, root)
    const shown = await findListToSign(folder, root)
    const { file, list } = shown
    const changes = comparePublishers(before, list).map(({ message }) => message)
    const listed = [
      `${file} is list ${list.serial}; ${before.serial === undefined ? 'none is in force' : `list ${before.serial} is in force`}.`,
      ...(changes.length === 0 ? ['  Nothing changes.'] : changes.map((change) => `  ${change}`)),
    ]
    const isDry = flags.has('dry-run')
    const isMeant = !isDry && (changes.length === 0 || flags.has('yes') || (await asks(listed, flags)))
    const { signed, missing } = isMeant ? await signList(folder, shown, [key], root) : shown
    const said = isMeant
      ? [`Signed ${file} with ${key.kid}: ${describeSigners({ signed, missing })}.`]
      : ['Nothing was signed.', ...(isDry ? [] : ['Look at whose keys these are, then give --yes.'])]
    return {
      text: [...listed, ...said, ...(isMeant && missing === 0 ? ['Build the index for it to come into force.'] : [])],
      json: { file, serial: list.serial, in_force: before.serial ?? null, changes, done: isMeant, signed, missing },
      exitCode: isMeant || isDry ? 0 : 1,
    }
  },
}

/** Asks the person at a terminal; nobody else is there to say yes. */
async function asks(listed: readonly string[], flags: ReadonlySet<string>): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  if (!input.isTTY || !output.isTTY || flags.has('json') || flags.has('quiet')) return false
  output.write(listed.map((line) => `${line}\n`).join(''))
  const terminal = createInterface({ input, output })
  try {
    return /^y(es)?$/i.test((await terminal.question('Sign that? (y/N) ')).trim())
  } finally {
    terminal.close()
  }
}
