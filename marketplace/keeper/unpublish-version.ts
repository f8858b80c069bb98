import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pluginFolder } from '../index-format/index-entry.ts'
import { parseIndexFile } from '../index-format/index-file.ts'
import { parsePluginFile } from '../index-format/plugin-file.ts'
import { readIndexFolder, readPart } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'
import { toStableJson } from './stable-json.ts'
import { writeAtomic } from './write-atomic.ts'

/** Removes a version from the folder of an index that was not built with it yet: no site has seen it. Throws an IndexRefusal for any other. */
export async function unpublishVersion(directory: string, name: string, version: string): Promise<void> {
  const plugin = (await readIndexFolder(directory)).plugins.get(name)
  const found = plugin?.versions.find((each) => each.version === version)
  if (!plugin || !found) throw new IndexRefusal(`The index has no ${name} ${version}.`, [], 'release_unknown')
  const built = await readPart(directory, 'index.json')
  if (built && found.published <= parseIndexFile(built).generated)
    throw new IndexRefusal(
      `Sites may have ${name} ${version} already: stoa yank takes it back, stoa index revoke warns.`,
      [],
      'version_seen',
    )
  const folder = pluginFolder(name)
  const versions = plugin.versions.filter((each) => each !== found)
  if (versions.length === 0) return rm(join(directory, folder), { recursive: true, force: true })
  const bytes = toStableJson({ ...plugin, versions })
  parsePluginFile(bytes)
  await writeAtomic(join(directory, folder, 'plugin.json'), bytes)
  if (!found.url.includes(':')) await rm(join(directory, folder, found.url), { force: true })
}
