import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPublisherKey, parsePublishersFile, type PublishersFile } from '../index-format/publishers-file.ts'
import { PackageSignatureError } from '../errors.ts'
import { readIndexFolder } from '../keeper/index-folder.ts'
import { openPackage } from '../package/open.ts'
import type { OpenedPackage } from '../package/opened-package.ts'
import { verifyPackage, type TrustStore } from '../package/signature.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { readPublicKey } from './key-file.ts'

/** Who may have signed, and what an index says of the package. */
interface Verifier {
  readonly trust: TrustStore
  /** Throws where the index has other bytes of this release. */
  compare(opened: OpenedPackage): void
}

/** `stoa verify`: whether a package is what the owner of a key signed. */
export const verify: Command = {
  usage: '<package> --key <public key file> | --publishers <publishers.json> | --index <folder>',
  summary: 'Verifies the signature of a package.',
  about: [
    'Against one key, against the publishers of an index, or against a whole index: then the package must also be the',
    'very one that the index lists, and its key must not be revoked there.',
  ],
  examples: ['stoa verify acme.sales-0.1.0.plugin.zip --key acme-2026a.pub.json'],
  options: {
    key: 'the public key it must be signed with, a file of stoa keygen',
    publishers: 'a publishers.json, of which the key of its publisher must have signed it',
    index: 'the folder of an index that must list it',
  },
  async run(operands, { key, publishers, index }) {
    const path = onlyOperand(operands, 'a package')
    const verifier = await chooseVerifier(key, publishers, index)
    const opened = await inScratch((folder) => openPackage(path, join(folder, 'tree')))
    const trust = await verifyPackage(opened, verifier.trust)
    if (trust.kid === undefined)
      throw new PackageSignatureError({ problem: 'there is none' }, { details: { rule: 'unsigned' } })
    verifier.compare(opened)
    const { name, version } = opened.manifest
    return {
      text: [`${name} ${version} is signed with ${trust.kid}, and is what was signed.`],
      json: {
        verified: true,
        name,
        version,
        kid: trust.kid,
        level: key ? null : trust.level,
        tree_hash: opened.treeHash,
      },
    }
  },
}

async function chooseVerifier(
  key: string | undefined,
  publishers: string | undefined,
  index: string | undefined,
): Promise<Verifier> {
  const given = [key, publishers, index].filter((each) => each !== undefined)
  if (given.length !== 1)
    throw new UsageError(
      'Give the public key to verify with: --key <file>, or --publishers <file>, or --index <folder>.',
    )
  if (key !== undefined) return withKey(key)
  if (index !== undefined) return withIndex(index)
  const bytes = await readFile(publishers ?? '').catch(() => {
    throw new UsageError(`There is no file ${publishers}.`)
  })
  return { trust: trustPublishers(parsePublishersFile(bytes), new Set()), compare: () => undefined }
}

async function withKey(path: string): Promise<Verifier> {
  const key = await readPublicKey(path)
  const trusted = { ...key, publisher: undefined, level: 'community' } as const
  return {
    trust: { findKey: (kid) => Promise.resolve(kid === key.kid ? trusted : undefined) },
    compare: () => undefined,
  }
}

async function withIndex(directory: string): Promise<Verifier> {
  const { publishers, revocations, plugins } = await readIndexFolder(directory)
  return {
    trust: trustPublishers(publishers, new Set(revocations.keys.map(({ kid }) => kid))),
    compare({ manifest: { name, version }, sha256 }) {
      const listed = plugins.get(name)?.versions.find((each) => each.version === version)
      const problem = listed ? 'the index lists other bytes of this version' : 'the index does not list it'
      if (listed?.sha256 !== sha256) throw new PackageSignatureError({ problem }, { details: { rule: 'index' } })
    },
  }
}

function trustPublishers(publishers: PublishersFile, revoked: ReadonlySet<string>): TrustStore {
  return { findKey: (kid) => Promise.resolve(revoked.has(kid) ? undefined : findPublisherKey(publishers, kid)) }
}
