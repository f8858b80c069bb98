import { runBundler } from '../bundler.ts'
import { allHostModules } from './host-modules.ts'

const mostBytes = 2 * 1_048_576

const built = new Map<string, Promise<string>>()

/** The text of a module that this host ships, as one ES module that imports nothing; bundled once, when it is first asked for. */
export function loadHostModule(name: string): Promise<string> {
  const known = built.get(name)
  if (known) return known
  const module = allHostModules.find((each) => each.name === name)
  if (!module) return Promise.reject(new Error(`this platform ships no module ${name}`))
  const text = bundle(module.entry)
  built.set(name, text)
  text.catch(() => built.delete(name))
  return text
}

function bundle(entry: string): Promise<string> {
  const options = ['--bundle', '--format=esm', '--platform=neutral', '--target=es2022', '--charset=utf8']
  const more = ['--legal-comments=inline', '--log-level=error']
  return runBundler([entry, ...options, ...more], mostBytes)
}
