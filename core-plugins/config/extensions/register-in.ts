/** Something registered, in a box of its own so that one thing may be registered twice and leave once. */
export interface Registered<T> {
  readonly entry: T
}

/** Keeps an entry in a set until the result is disposed. */
export function registerIn<T>(set: Set<Registered<T>>, entry: T): Disposable {
  const registered = { entry }
  set.add(registered)
  return { [Symbol.dispose]: () => void set.delete(registered) }
}
