import { resolve } from 'node:path'
import { rotateIndex } from '../../keeper/rotate-index.ts'
import { atMostOneOperand, requiredOption, wholeNumber, type Command } from '../command.ts'
import { readSigningKeys } from '../key-file.ts'
import { expiresOption, expiresDays } from '../index-options.ts'

/** `stoa index rotate-key`: replaces the keys that an index is signed with. */
export const indexRotateKey: Command = {
  usage:
    '[<folder>] --key <old key file> --new <new key file> [--threshold <count>] [--keys-threshold <count>] [--expires-days <days>]',
  summary: 'Replaces the keys that sign the index; sites that pinned the old root follow.',
  about: ['The new root.json is signed with the old keys and with the new ones, and the index is built anew.'],
  examples: [
    'stoa keygen index-2',
    'stoa index rotate-key plugins --key plugins.index-1.key.json --new index-2.key.json',
  ],
  options: {
    key: 'the keys the root has now, with commas between; as many as it asks for',
    new: 'the keys it is to have, with commas between; one that stays is named again',
    threshold: 'how many of the new keys must sign from now on; 1 unless given',
    'keys-threshold':
      'how many must sign who may publish; what it was unless given, 0 for none but the build. Old keys sign as many as they ask for',
    'expires-days': expiresOption,
  },
  async run(operands, { key, new: newKey, threshold, 'keys-threshold': people, 'expires-days': expires }) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const old = await readSigningKeys(requiredOption(key, 'key', 'the key it is signed with now'))
    const keys = await readSigningKeys(requiredOption(newKey, 'new', 'the key it is to be signed with'))
    const signers = [...old.filter(({ kid }) => !keys.some((each) => each.kid === kid)), ...keys]
    const count = wholeNumber(threshold, 'threshold', 1, keys.length, 1)
    const fingerprint = await rotateIndex(folder, {
      keys,
      threshold: count,
      ...(people === undefined ? {} : { keysThreshold: wholeNumber(people, 'keys-threshold', 0, keys.length, 0) }),
      signers,
      expiresDays: expiresDays(expires),
    })
    return {
      text: [
        `The index is signed with ${keys.map(({ kid }) => kid).join(', ')} from now on.`,
        `  fingerprint  ${fingerprint}`,
      ],
      json: { keys: keys.map(({ kid }) => kid), threshold: count, fingerprint },
    }
  },
}
