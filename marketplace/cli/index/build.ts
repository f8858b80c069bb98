import { relative, resolve } from 'node:path'
import { buildIndex } from '../../keeper/build-index.ts'
import { describeSigners } from '../../keeper/publishers-list.ts'
import { atMostOneOperand, requiredOption, type Command } from '../command.ts'
import { readSigningKeys } from '../key-file.ts'
import { expiresOption, expiresDays, momentOf } from '../index-options.ts'

/** `stoa index build`: what a keeper does after every change. */
export const indexBuild: Command = {
  usage: '[<folder>] --key <key file> [--expires-days <days>] [--no-site]',
  summary: 'Writes index.json anew from what the folder holds, signs it, and writes a web site of it.',
  about: [
    'Do it after every change, and before the days are over: sites take an index that was not built for too long for withheld.',
    'The site is index.html and what it leads to, in English and Chinese: any static host serves it, and it needs no script to be read.',
  ],
  examples: ['stoa index build plugins --key plugins.index-1.key.json'],
  options: {
    key: 'the private key of the index; several with commas between, where the root asks for more than one',
    'expires-days': expiresOption,
    generated: 'the moment of the build; now unless given',
  },
  flags: { 'no-site': 'write no pages for people' },
  async run(operands, { key, 'expires-days': expires, generated }, flags) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const keys = await readSigningKeys(requiredOption(key, 'key', 'the key of the index'))
    const built = await buildIndex(folder, {
      keys,
      expiresDays: expiresDays(expires),
      generated: momentOf(generated, 'generated'),
      hasSite: !flags.has('no-site'),
    })
    const { sequence, plugins, refreshed } = built
    return {
      text: [
        `Built ${relative('', folder) || '.'}: sequence ${sequence}, ${plugins} plugins, fresh until ${built.expires.slice(0, 10)}.`,
        ...(built.waiting ? [`  not in it: a change of who may publish; ${describeSigners(built.waiting)}`] : []),
        ...refreshed.map((file) => `  written anew: ${file}`),
      ],
      json: built,
    }
  },
}
