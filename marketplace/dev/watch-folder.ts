import { watch } from 'node:fs'

/** Editors write a file in several steps. */
const SETTLE_MS = 40
const OWN = /^(manifest\.json|src|ui|migrations|locales|icon\.|README|CHANGELOG|LICENSE|screenshots)/

/** Calls back when a file of the plugin has changed, once for changes that come together; disposing it ends that. */
export function watchFolder(directory: string, onChange: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(directory, { recursive: true }, (_, path) => {
    if (path === null || !OWN.test(path)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, SETTLE_MS)
  })
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}
