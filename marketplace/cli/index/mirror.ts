import { relative, resolve } from 'node:path'
import { mirrorIndex } from '../../keeper/mirror-index.ts'
import { UsageError, type Command } from '../command.ts'

/** `stoa index mirror`: a copy of an index for sites without a network. */
export const indexMirror: Command = {
  usage: '<address or folder> <target folder> [--only <names>] [--root <fingerprint>] [--header <name: value>]',
  summary: 'Copies an index with its packages, verified, for sites that reach no network.',
  about: [
    'Every file is checked against the signature of the index before it is kept. Signatures come along: a site trusts the',
    'copy as it trusts the original. Called again it fetches what is new; interrupted it goes on where it was.',
  ],
  examples: ['stoa index mirror plugins copy --only acme.sales'],
  options: {
    only: 'names of plugins with commas between; all unless given',
    root: 'the fingerprint of root.json, as the keeper tells it; the root that the copy has already unless given',
    header: 'sent to the server of the index, such as "authorization: Bearer …"',
  },
  async run([from, target, ...more], { only, root, header }, _, progress) {
    if (from === undefined || target === undefined || more.length > 0)
      throw new UsageError('Give the address or folder of the index, and a folder for the copy.')
    const folder = resolve(target)
    if (folder === resolve(from)) throw new UsageError('The copy goes into another folder.')
    if (root !== undefined && !/^[0-9a-f]{64}$/.test(root)) throw new UsageError('--root is 64 hexadecimal digits.')
    const mirrored = await mirrorIndex(from, folder, {
      ...(only === undefined ? {} : { only: only.split(',').map((name) => name.trim()) }),
      ...(root === undefined ? {} : { rootFingerprint: root }),
      ...(header === undefined ? {} : { headers: parseHeader(header) }),
      onFile: (path, done, total) => progress.tell('Copying', done + 1, total, path),
    })
    const { sequence, plugins, fetched, kept, fingerprint, elsewhere } = mirrored
    return {
      text: [
        `Copied ${plugins} plugins to ${relative('', folder) || '.'}: sequence ${sequence}, ${fetched} files fetched, ${kept} kept.`,
        `  fingerprint  ${fingerprint}`,
        ...elsewhere.map((release) => `  ${release} has an address elsewhere, where sites look first`),
      ],
      json: mirrored,
    }
  },
}

function parseHeader(text: string): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z0-9-]+):\s*(.+)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--header is written as "name: value".')
  return { [name.toLowerCase()]: value }
}
