import { stat } from 'node:fs/promises'
import path from 'node:path'
import { consoleFolders } from '../../../core-plugins/console/build/folders.ts'

/** How many bytes of these files of the build go over the wire to a browser that takes the best coding. */
export async function assetBytes(names: Iterable<string>): Promise<number> {
  const sizes = [...names].map(async (name) => {
    const file = path.join(consoleFolders.dist, 'assets', name)
    const coded = await stat(`${file}.br`).catch(() => stat(file))
    return coded.size
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
