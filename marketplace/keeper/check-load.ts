import { chmod, mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startTestPlugin, type PluginManifest, type Release } from '#sandbox'
import type { OpenedPackage } from '../package/opened-package.ts'

/**
 * Loads a package in a sandbox host of its own: it evaluates, has what its manifest names, and passes its self-test. Throws 400/4009 when it does not.
 * Its folder lies in one below the scratch folder that has nothing else of any matter.
 */
export async function checkLoad(
  { manifest, treeHash, directory, files }: OpenedPackage,
  scratch: string,
): Promise<void> {
  const folder = await mkdtemp(join(scratch, 'load-'))
  // Sandbox hosts may run as somebody else, who must get through.
  const releases = dirname(directory)
  for (const path of [scratch, folder, releases]) await chmod(path, 0o711)
  const { name, version } = manifest
  // Nothing is called that needs tables, and without them no database has to be started.
  const entries = Object.entries(manifest).filter(([field]) => field !== 'db')
  const withoutTables = Object.fromEntries(entries) as unknown as PluginManifest
  const release: Release = {
    ...{ name, version, treeHash, directory, trust: 'community' },
    files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
    manifest: withoutTables,
  }
  const resources = new AsyncDisposableStack()
  const plugin = await startTestPlugin({ release, migrations: [], releases, scratch: folder, resources })
  await plugin[Symbol.asyncDispose]()
}
