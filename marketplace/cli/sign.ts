import { relative, resolve } from 'node:path'
import { openSubject } from '../keeper/open-subject.ts'
import { signOpened } from '../keeper/sign-opened.ts'
import { writeAtomic } from '../keeper/write-atomic.ts'
import { onlyOperand, requiredOption, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { readSigningKey } from './key-file.ts'

/** `stoa sign`: puts a publisher's signature into a package. */
export const sign: Command = {
  usage: '<package or folder> --key <key file> [--out <file>]',
  summary: 'Signs a package with the key of its publisher.',
  about: [
    'The signature names every file of the package and its hash, and takes the place of one that is there. The same',
    'package and key give the same bytes. A folder is packed first.',
  ],
  examples: ['stoa sign acme.sales-0.1.0.plugin.zip --key acme-2026a.key.json'],
  options: {
    key: 'the private half, a file of stoa keygen that ends in .key.json',
    out: 'where the signed package goes; the package itself unless given, and for a folder {name}-{version}.plugin.zip',
  },
  async run(operands, { key: keyFile, out }) {
    const path = onlyOperand(operands, "a package or a plugin's folder")
    const key = await readSigningKey(requiredOption(keyFile, 'key', 'the key to sign with'))
    return inScratch(async (scratch) => {
      const subject = await openSubject(path, scratch)
      if (!subject) throw new UsageError(`There is no ${path}.`)
      const { manifest, treeHash } = subject.opened
      const { name, version } = manifest
      const target = resolve(out ?? (subject.isFolder ? `${name}-${version}.plugin.zip` : path))
      await writeAtomic(target, await signOpened(subject.opened, key))
      return {
        text: [`Signed ${name} ${version} with ${key.kid}: ${relative('', target) || target}`, `  tree   ${treeHash}`],
        json: { file: target, name, version, kid: key.kid, tree_hash: treeHash },
      }
    })
  },
}
