import { basename, relative, resolve } from 'node:path'
import { initIndex, requireOutside } from '../../keeper/init-index.ts'
import { onlyOperand, UsageError, wholeNumber, type Command } from '../command.ts'
import { createKeyFiles, readKeys, readSigningKey } from '../key-file.ts'
import { expiresOption, expiresDays, momentOf } from '../index-options.ts'

/** `stoa index init`: an index without plugins. */
export const indexInit: Command = {
  usage:
    '<folder> [--title <text>] [--key <key file>] [--others <key files> --keys-threshold <count>] [--expires-days <days>]',
  summary: 'Makes an index without plugins, with a key of its own.',
  about: [
    'The private key is written beside the folder, never into it, and only its owner can read it. Keep it: sites trust',
    'the index by it. The folder can be a new repository of a code host, or be served by any web server.',
    'With --keys-threshold one key signs releases, and several keepers together who may publish: stoa help index sign-keys.',
  ],
  examples: [
    'stoa index init plugins --title "Plugins of Acme"',
    'stoa keygen keeper-2',
    'stoa index init shared --others keeper-2.pub.json --keys-threshold 2',
  ],
  options: {
    title: "what the index calls itself; the folder's name unless given",
    key: 'a key of stoa keygen to sign with; <folder>.index-1.key.json is made unless given',
    others: 'more keys, with commas between: of other keepers the halves that end in .pub.json',
    'keys-threshold': 'how many of the keys must sign who may publish; that goes with every build unless given',
    'expires-days': expiresOption,
    created: 'the moment of its making; now unless given',
  },
  async run(operands, { title, key: keyFile, others, 'keys-threshold': threshold, 'expires-days': expires, created }) {
    const folder = resolve(onlyOperand(operands, 'a folder for the index'))
    const days = expiresDays(expires)
    const moment = momentOf(created, 'created')
    const stem = `${folder}.index-1`
    if (keyFile !== undefined) await requireOutside(folder, keyFile)
    const more = others === undefined ? [] : await readKeys(others)
    const keysThreshold =
      threshold === undefined ? undefined : wholeNumber(threshold, 'keys-threshold', 1, more.length + 1, 1)
    const key = keyFile === undefined ? await createKeyFiles('index-1', stem) : await readSigningKey(keyFile)
    const name = title ?? basename(folder)
    if (name.length > 100) throw new UsageError('--title has at most 100 characters.')
    const fingerprint = await initIndex(folder, {
      ...{ title: name, key, others: more, expiresDays: days, created: moment },
      ...(keysThreshold === undefined ? {} : { keysThreshold }),
    })
    const unsigned = (keysThreshold ?? 0) > 1 + more.filter((each) => 'privateKey' in each).length
    const shown = relative('', folder) || '.'
    const file = relative('', keyFile ?? `${stem}.key.json`)
    return {
      text: [
        `Made the index ${name} in ${shown}.`,
        `  key          ${file}`,
        `  fingerprint  ${fingerprint}`,
        '',
        'Next:',
        ...(unsigned ? [`  stoa index sign-keys ${shown} --key <key file>, by each of the other keepers`] : []),
        `  stoa index add-publisher <publisher> <public key file> --index ${shown}`,
        `  stoa publish <package> --index ${shown}`,
        `  stoa index build ${shown} --key ${file}`,
      ],
      json: { folder, title: name, key_file: resolve(file), kid: key.kid, fingerprint, built: !unsigned },
    }
  },
}
