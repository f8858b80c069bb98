import { relative, resolve } from 'node:path'
import { buildIndex } from '../../keeper/build-index.ts'
import { atMostOneOperand, requiredOption, type Command } from '../command.ts'
import { readSigningKeys } from '../key-file.ts'
import { expiresOption, expiresDays, momentOf } from '../index-options.ts'

/** `stoa index build`: what a keeper does after every change. */
export const indexBuild: Command = {
  usage: '[<folder>] --key <key file> [--expires-days <days>]',
  summary: 'Writes index.json anew from what the folder holds, and signs it.',
  about: [
    'Do it after every change, and before the days are over: sites take an index that was not built for too long for withheld.',
  ],
  examples: ['stoa index build plugins --key plugins.index-1.key.json'],
  options: {
    key: 'the private key of the index; several with commas between, where the root asks for more than one',
    'expires-days': expiresOption,
    generated: 'the moment of the build; now unless given',
  },
  async run(operands, { key, 'expires-days': expires, generated }) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const keys = await readSigningKeys(requiredOption(key, 'key', 'the key of the index'))
    const built = await buildIndex(folder, {
      keys,
      expiresDays: expiresDays(expires),
      generated: momentOf(generated, 'generated'),
    })
    const { sequence, plugins, refreshed } = built
    return {
      text: [
        `Built ${relative('', folder) || '.'}: sequence ${sequence}, ${plugins} plugins, fresh until ${built.expires.slice(0, 10)}.`,
        ...refreshed.map((file) => `  written anew: ${file}`),
      ],
      json: built,
    }
  },
}
