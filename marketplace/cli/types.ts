import { join, relative, resolve } from 'node:path'
import { namesFile } from '../author/type-options.ts'
import { writeTypes } from '../author/write-types.ts'
import { atMostOneOperand, requireManifest, type Command } from './command.ts'

/** `stoa types`: what an editor completes and checks names with. */
export const types: Command = {
  usage: '[<folder>]',
  summary: 'Declares the tables, settings, texts, events and permissions of a plugin for its editor.',
  about: ['npm install runs it, and so do stoa dev, test, validate and pack: it is for changes in between.'],
  examples: ['stoa types sales'],
  options: {},
  async run(operands) {
    const directory = resolve(atMostOneOperand(operands) ?? '.')
    await requireManifest(directory)
    await writeTypes(directory)
    const file = join(directory, namesFile)
    return { text: [`Declared them in ${relative('', file)}`], json: { file } }
  },
}
