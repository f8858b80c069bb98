import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#kernel'
import {
  startTestPlugin,
  type LoadPlugin,
  type PluginManifest,
  type Release,
  type TestOptions,
  type TestPlugin,
  type TestPluginWithoutPages,
} from '#sandbox'
import { findChromium } from './browser/find-chromium.ts'
import { PageOpener } from './browser/open-page.ts'
import { readCopies } from './author/copied-services.ts'
import { packPlugin, type PackOptions } from './pack.ts'
import { openPackage } from './package/open.ts'
import type { OpenedPackage } from './package/opened-package.ts'

/** Packs a plugin's folder as `stoa pack` does and starts it in a sandbox host of its own, for its author's tests. */
export const loadPlugin: LoadPlugin = (folder, options) => loadAround(folder, undefined, options)

/** The same with a module around the plugin, which imports it as `stoa:own`. */
export async function loadAround(folder: string, around?: string, options?: TestOptions): Promise<TestPlugin> {
  await using resources = new AsyncDisposableStack()
  const scratch = await mkdtemp(join(tmpdir(), 'stoa-test-'))
  resources.defer(() => rm(scratch, { recursive: true, force: true }))
  // Sandbox hosts and the database may run as somebody else, who must get through.
  await chmod(scratch, 0o711)
  const zip = join(scratch, 'pkg.zip')
  const releases = join(scratch, 'releases')
  await packOrTell(folder, { out: zip, ...(around === undefined ? {} : { around }) })
  const opened = await openPackage(zip, join(await made(releases), 'release'))
  const others = await readOthers(folder)
  const release = releaseOf(opened)
  const under = { release, migrations: opened.migrations, others, releases, scratch, resources: resources.move() }
  return withPages(await startTestPlugin(under, options), release)
}

/** A plugin under test, with its pages. */
function withPages(plugin: TestPluginWithoutPages, release: Release): TestPlugin {
  const pages = new PageOpener(plugin, release)
  const endPlugin = plugin[Symbol.asyncDispose].bind(plugin)
  return Object.assign(plugin, {
    hasBrowser: findChromium() !== undefined,
    openPage: (slot, { context } = {}) => pages.open(slot, context),
    async [Symbol.asyncDispose]() {
      try {
        await pages[Symbol.asyncDispose]()
      } finally {
        await endPlugin()
      }
    },
  } satisfies Pick<TestPlugin, 'openPage' | 'hasBrowser' | typeof Symbol.asyncDispose>)
}

/** What other plugins provide, of which the author has a copy. */
async function readOthers(folder: string): Promise<readonly PluginManifest[]> {
  const { copies, faults } = await readCopies(folder)
  if (faults.length > 0)
    throw new Error(faults.map(({ file, field, message }) => `${file}: ${field} ${message}`).join('\n'))
  return copies.map(({ manifest }) => manifest)
}

/** A test's report shows an error's message and nothing else: it has to name every fault. */
async function packOrTell(folder: string, options: PackOptions): Promise<void> {
  try {
    await packPlugin(folder, options)
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    const faults = error.errors.map(({ field, message }) => `  ${field}: ${message}`)
    throw new Error([error.message, ...faults].join('\n'), { cause: error })
  }
}

async function made(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o755 })
  return folder
}

function releaseOf({ manifest, treeHash, directory, files }: OpenedPackage): Release {
  const { name, version } = manifest
  const hashes = Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
  return { name, version, treeHash, directory, files: hashes, manifest, trust: 'local' }
}
