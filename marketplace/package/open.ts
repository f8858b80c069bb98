import { mkdir, readdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { describeTree } from './describe-tree.ts'
import { extractApart } from './extract-apart.ts'
import type { OpenedPackage } from './opened-package.ts'
import { packageLimits } from './package-limits.ts'
import type { PackageLimits } from './prescan.ts'
import { Slots } from './slots.ts'

/** However many packages come at once: each takes a process, and some tens of megabytes. */
const slots = new Slots(Math.min(availableParallelism(), 4))

/** How a package is opened. */
interface OpenOptions {
  /** Lower bounds than the contract's. */
  readonly limits?: PackageLimits
  readonly signal?: AbortSignal
}

/**
 * Opens an untrusted package into a folder that is new or empty: unpacks it in a process of its own, checks the manifest
 * and compiles the migrations. Nothing of it runs. When it is refused the folder is gone again.
 */
export function openPackage(
  zip: string,
  target: string,
  { limits = packageLimits, signal }: OpenOptions = {},
): Promise<OpenedPackage> {
  return slots.run(() => open(zip, target, limits, signal), signal)
}

async function open(zip: string, target: string, limits: PackageLimits, signal?: AbortSignal): Promise<OpenedPackage> {
  await makeEmpty(target)
  try {
    const extracted = await extractApart({ zip, target, limits }, signal)
    return await describeTree(extracted, target)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    throw error
  }
}

async function makeEmpty(target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  const [entry] = await readdir(target)
  if (entry !== undefined) throw new Error(`A package is opened into an empty folder, and ${target} has ${entry}`)
}
