import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#kernel'
import { createSigningKey, packageLimits, verifyPackage, type TrustStore } from '#marketplace'
import { describeTree } from '../../../marketplace/package/describe-tree.ts'
import { extract } from '../../../marketplace/package/extract.ts'

const { publicKey } = createSigningKey('site')
const site = { kid: 'site', publicKey, publisher: undefined, level: 'local' } as const
const trust: TrustStore = { findKey: (kid) => Promise.resolve(kid === site.kid ? site : undefined) }

/** What became of a package: the code it was refused with, 0 when it was not, and what it left behind outside its folder. */
export interface Reading {
  readonly code: number
  readonly rule: string
  readonly treeHash: string | undefined
  readonly strays: readonly string[]
}

/** A reader that opens packages as the platform does, but in this process: for many of them. */
export async function createReader(): Promise<{ read(zip: Buffer): Promise<Reading> } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-hostile-'))
  return {
    async read(zip) {
      const place = join(folder, randomUUID())
      const target = join(place, 'tree')
      await mkdir(target, { recursive: true })
      await writeFile(join(place, 'pkg.zip'), zip)
      const result = await readInto(join(place, 'pkg.zip'), target)
      const strays = (await readdir(place)).filter((name) => name !== 'pkg.zip' && name !== 'tree')
      await rm(place, { recursive: true, force: true })
      return { ...result, strays }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

async function readInto(zip: string, target: string): Promise<Omit<Reading, 'strays'>> {
  const extracted = extract({ zip, target, limits: packageLimits })
  if (!extracted.ok) {
    if ('failure' in extracted) throw new Error(extracted.failure)
    return { code: 4009, rule: extracted.violation.rule, treeHash: undefined }
  }
  try {
    const opened = await describeTree(extracted, target)
    await verifyPackage(opened, trust)
    return { code: 0, rule: '', treeHash: opened.treeHash }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, rule: error.reason, treeHash: undefined }
  }
}
