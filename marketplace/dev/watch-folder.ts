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

/** Every file with its time and size, and the time of the newest. */
interface Seen {
  readonly files: string
  readonly newest: number
}

/**
 * Calls back when a file of the plugin has changed, with when that was, once for changes that come together; disposing it ends that. It looks,
 * because on Linux fs.watch loses files that editors put in the place of others.
 */
export function watchFolder(directory: string, onChange: (savedAt: number) => void): Disposable {
  let known: Seen | undefined
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const seen = await fingerprint(directory)
    if (known !== undefined && seen.files !== known.files) onChange(savedAt(seen, known))
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
async function fingerprint(directory: string): Promise<Seen> {
  const paths = (await Array.fromAsync(glob(own, { cwd: directory }))).sort()
  const found = await Promise.all(paths.map((path) => stat(join(directory, path)).catch(() => undefined)))
  const files = paths.map((path, index) => `${path} ${found[index]?.mtimeMs} ${found[index]?.size}`).join('\n')
  return { files, newest: Math.max(0, ...found.map((file) => file?.mtimeMs ?? 0)) }
}

/** The time of the newest file; what went away, or came with a time of its own, was saved when it was seen. */
function savedAt({ newest }: Seen, before: Seen): number {
  const now = Date.now()
  return Math.floor(newest > before.newest ? Math.min(newest, now) : now)
}
