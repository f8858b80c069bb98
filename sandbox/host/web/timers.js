/** The timers of the web, which last as long as the call that began them. `wait` resolves later; it is a call to the host. */
export function createTimers(wait) {
  const live = new Map()
  let last = 0
  const run = async (id, callback, milliseconds, parameters, isRepeated) => {
    do {
      await wait(milliseconds)
      const own = live.get(id)
      if (!own) return
      if (!isRepeated) live.delete(id)
      callback(...parameters)
    } while (isRepeated && live.has(id))
  }
  const start =
    (isRepeated) =>
    (callback, milliseconds, ...parameters) => {
      if (typeof callback !== 'function') throw new TypeError('A timer needs a function')
      const id = ++last
      live.set(id, true)
      const pause = Math.max(isRepeated ? 1 : 0, Math.trunc(Number(milliseconds)) || 0)
      void run(id, callback, pause, parameters, isRepeated)
      return id
    }
  const clear = (id) => void live.delete(Number(id))
  const names = { setTimeout: start(false), setInterval: start(true), clearTimeout: clear, clearInterval: clear }
  for (const [name, value] of Object.entries(names)) Object.defineProperty(value, 'name', { value: name })
  return names
}

/** The queueMicrotask of the web. */
export function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeError('queueMicrotask needs a function')
  void Promise.resolve().then(() => callback())
}
