import { readFileSync } from 'node:fs'

const periodMs = 500
const mostAncestors = 4
/** Programs that stand between who started something and what was started: they may outlive the one and hold the other. */
const between = /^(sh|dash|node|npm.*|npx.*|MainThread)$/

/** Calls back once when the process that started this one has ended, however it ended; disposing it ends that. */
export function watchParents(onGone: () => void): Disposable {
  const ancestors = ancestorsOf(process.pid)
  if (ancestors.length === 0) return { [Symbol.dispose]: () => undefined }
  const timer = setInterval(() => {
    const now = ancestorsOf(process.pid)
    if (ancestors.every((pid, index) => now[index] === pid)) return
    clearInterval(timer)
    onGone()
  }, periodMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The parent, and those above it up to the first that works for itself, such as a terminal's shell. */
function ancestorsOf(pid: number): readonly number[] {
  const found: number[] = []
  let at = pid
  while (found.length < mostAncestors) {
    const above = statOf(at)?.parent ?? 0
    // Whoever has ended leaves its children to the first process.
    if (above <= 1) break
    found.push(above)
    if (!between.test(statOf(above)?.name ?? '')) break
    at = above
  }
  return found
}

function statOf(pid: number): { readonly name: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name = '', parent = '0'] = /^\d+ \((.*)\) \S (\d+)/s.exec(text) ?? []
    return { name, parent: Number(parent) }
  } catch {
    return undefined
  }
}
