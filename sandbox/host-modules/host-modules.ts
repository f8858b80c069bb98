import { createRequire } from 'node:module'
import semver from 'semver'

/** A module of pure JavaScript that this host ships for plugins: small, without dependencies, and the same for all. */
interface HostModule {
  readonly name: string
  /** The one version there is of it here. */
  readonly version: string
  /** The ES module that is bundled for sandboxes. */
  readonly entry: string
}

/** What a manifest wants of a module: `dayjs@^1` in two. */
interface WantedModule {
  readonly name: string
  readonly range: string
}

const require = createRequire(import.meta.url)
const wantedForm = /^(?<name>(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*)@(?<range>[^@]+)$/

/** Every module there is, in the order of their names. */
export const allHostModules: readonly HostModule[] = [
  shipped('big.js', 'big.mjs'),
  shipped('dayjs', 'esm/index.js'),
  shipped('marked', 'lib/marked.esm.js'),
]

/** Reads `name@range`; undefined when it is no such thing. */
export function readWantedModule(text: string): WantedModule | undefined {
  const { name, range } = wantedForm.exec(text)?.groups ?? {}
  return name === undefined || range === undefined || semver.validRange(range) === null ? undefined : { name, range }
}

/** Says why what a manifest wants is not shipped here, with what is; undefined when it is. */
export function hostModuleFault(text: string): string | undefined {
  const wanted = readWantedModule(text)
  const isThere = allHostModules.some(
    ({ name, version }) => name === wanted?.name && semver.satisfies(version, wanted.range),
  )
  const there = allHostModules.map(({ name, version }) => `${name} ${version}`).join(', ')
  return isThere ? undefined : `This platform ships ${there}, and no ${text}`
}

/** The names of the modules that a manifest wants. */
export function hostModuleNames(hostModules: readonly string[] = []): readonly string[] {
  return hostModules.flatMap((text) => readWantedModule(text)?.name ?? [])
}

function shipped(name: string, file: string): HostModule {
  const { version } = require(`${name}/package.json`) as { readonly version: string }
  return { name, version, entry: require.resolve(`${name}/package.json`).replace(/package\.json$/, file) }
}
