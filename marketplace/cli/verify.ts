import { join } from 'node:path'
import { openPackage } from '../package/open.ts'
import { PackageSignatureError } from '../errors.ts'
import { verifyPackage } from '../package/signature.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { readPublicKey } from './key-file.ts'

/** `stoa verify`: whether a package is what the owner of a key signed. */
export const verify: Command = {
  usage: '<package> --key <public key file>',
  summary: 'Verifies the signature of a package.',
  examples: ['stoa verify acme.sales-0.1.0.plugin.zip --key acme-2026a.pub.json'],
  options: { key: 'the public key it must be signed with, a file of stoa keygen' },
  async run(operands, { key: keyFile }) {
    const path = onlyOperand(operands, 'a package')
    if (keyFile === undefined) throw new UsageError('Give the public key to verify with: --key <file>.')
    const key = await readPublicKey(keyFile)
    const opened = await inScratch((folder) => openPackage(path, join(folder, 'tree')))
    const trust = await verifyPackage(opened, {
      findKey: (kid) =>
        Promise.resolve(kid === key.kid ? { ...key, publisher: undefined, level: 'community' } : undefined),
    })
    if (trust.kid === undefined)
      throw new PackageSignatureError({ problem: 'there is none' }, { details: { rule: 'unsigned' } })
    const { name, version } = opened.manifest
    return {
      text: [`${name} ${version} is signed with ${trust.kid}, and is what was signed.`],
      json: { verified: true, name, version, kid: trust.kid, tree_hash: opened.treeHash },
    }
  },
}
