import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseManifest } from '#sandbox'
import { copyServices, fitsUses } from '../author/copy-services.ts'
import { namesFile } from '../author/type-options.ts'
import { writeTypes } from '../author/write-types.ts'
import { findProvider } from '../keeper/find-provider.ts'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import { atMostOneOperand, requireManifest, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { pinnedRoot, rootOption } from './index-options.ts'

/** `stoa types`: what an editor completes and checks names with. */
export const types: Command = {
  usage: '[<folder>] [--service <folder, package or name@index>] [--root <fingerprint>]',
  summary: 'Declares the tables, settings, texts, events and permissions of a plugin for its editor.',
  about: [
    'npm install runs it, and so do stoa dev, test, validate and pack: it is for changes in between.',
    'With --service it also keeps a copy of the services that the manifest uses of another plugin, in services/: with it calls are checked',
    'and completed: stoa types sales --service ../crm, or acme.crm@https://plugins.acme.test/. Keep it with the sources; who has it needs',
    'neither the other plugin nor a network. Copy it again for another version.',
  ],
  examples: ['stoa types sales'],
  options: {
    service: "the other plugin: its folder, its package, or name@index with an index's folder or address",
    root: rootOption,
  },
  async run(operands, { service, root }) {
    const directory = resolve(atMostOneOperand(operands) ?? '.')
    await requireManifest(directory)
    const copied = service === undefined ? undefined : await copy(directory, service, pinnedRoot(root))
    await writeTypes(directory)
    const file = join(directory, namesFile)
    return {
      text: [
        ...(copied === undefined
          ? []
          : [
              `Copied ${copied.services.map(described).join(' and ')} to ${relative('', join(directory, copied.file))}`,
            ]),
        `Declared them in ${relative('', file)}`,
      ],
      json: { file, ...(copied === undefined ? {} : { copied: { ...copied, file: join(directory, copied.file) } }) },
    }
  },
}

function copy(directory: string, reference: string, root: string | undefined) {
  return inScratch(async (scratch) => {
    const manifest = parseManifest(await readFile(join(directory, 'manifest.json')))
    const { uses = {} } = manifest
    const provider = await findProvider(reference, { scratch, root, isWanted: (found) => fitsUses(uses, found) })
    if (!provider) throw new UsageError(`There is no plugin ${reference}: give its folder, its package, or name@index.`)
    const copied = await copyServices(directory, manifest, provider)
    if ('refused' in copied) throw new IndexRefusal(copied.refused)
    return copied
  })
}

function described({ service, version }: { readonly service: string; readonly version: string }): string {
  return `${service} ${version}`
}
