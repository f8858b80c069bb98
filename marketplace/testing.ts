import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPlugin, type LoadPlugin, type Release } from '#sandbox'
import { packPlugin } from './pack.ts'
import { openPackage, type OpenedPackage } from './package/open.ts'

/** Packs a plugin's folder as `stoa pack` does and starts it in a sandbox host of its own, for its author's tests. */
export const loadPlugin: LoadPlugin = async (folder, options) => {
  await using resources = new AsyncDisposableStack()
  const scratch = await mkdtemp(join(tmpdir(), 'stoa-test-'))
  resources.defer(() => rm(scratch, { recursive: true, force: true }))
  // Sandbox hosts and the database may run as somebody else, who must get through.
  await chmod(scratch, 0o711)
  const zip = join(scratch, 'pkg.zip')
  const releases = join(scratch, 'releases')
  await packPlugin(folder, { out: zip })
  const opened = await openPackage(zip, join(await made(releases), 'release'))
  const under = { release: releaseOf(opened), migrations: opened.migrations, releases, scratch }
  return startTestPlugin({ ...under, resources: resources.move() }, options)
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
