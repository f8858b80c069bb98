import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'

const periodMs = 100
/** What a package is made of, and what its types are; everything else may change as it likes. */
const own = [
  'manifest.json',
  '{src,ui,migrations,locales,screenshots,dist}/**/*',
  'services/*.json',
  'icon.*',
  '*.md',
  'LICENSE',
]

/**
 * Calls back when a file of the plugin has changed, once for changes that come together; disposing it ends that. It looks,
 * because on Linux fs.watch loses files that editors put in the place of others.
 */
export function watchFolder(directory: string, onChange: () => void): Disposable {
  let known: string | undefined
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const seen = await fingerprint(directory)
    if (known !== undefined && seen !== known) onChange()
    known = seen
    if (!isEnded) timer = setTimeout(() => void look(), periodMs)
  }
  void look()
  return {
    [Symbol.dispose]() {
      isEnded = true
      clearTimeout(timer)
    },
  }
}

/** Names, times and sizes; a file that goes away meanwhile is a change that the next look sees. */
async function fingerprint(directory: string): Promise<string> {
  const paths = (await Array.fromAsync(glob(own, { cwd: directory }))).sort()
  const found = await Promise.all(paths.map((path) => stat(join(directory, path)).catch(() => undefined)))
  return paths.map((path, index) => `${path} ${found[index]?.mtimeMs} ${found[index]?.size}`).join('\n')
}
