import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { effectiveLimits } from './effective-limits.ts'
import { localeFile } from './manifest/check-files.ts'
import type { Capability } from './manifest/vocabulary.ts'
import type { EffectiveLimits, Grants, GuestCall, Release, SandboxServices } from './services.ts'
import type { Broker } from './supervisor/broker.ts'
import type { Code } from './supervisor/call.ts'

/** The capabilities of one call: as a set for the broker, as JSON for the guest. */
interface CallCapabilities {
  readonly set: ReadonlySet<Capability>
  readonly json: string
}

/** Makes the broker of a plugin from what it was granted. */
export type MakeBroker = (release: Release, grants: Grants) => Broker

/** One release under one set of grants, with everything made that does not change from call to call. */
export class PreparedPlugin {
  readonly release: Release
  readonly grants: Grants
  readonly code: Code
  readonly broker: Broker
  readonly #overrides: SandboxServices['limits']
  readonly #head: string
  readonly #messages: ReadonlyMap<string, string>
  readonly #capabilities = new WeakMap<ReadonlySet<Capability>, CallCapabilities>()
  #limits: { readonly from: object; readonly limits: EffectiveLimits } | undefined

  constructor(
    { release, grants }: { readonly release: Release; readonly grants: Grants },
    broker: Broker,
    overrides: SandboxServices['limits'],
    messages: ReadonlyMap<string, string>,
  ) {
    const { name, version, treeHash, directory, files, manifest, trust } = release
    this.release = release
    this.grants = grants
    this.broker = broker
    this.#overrides = overrides
    this.#messages = messages
    this.code = {
      id: `${name}@${treeHash}`,
      plugin: name,
      directory,
      main: manifest.main,
      files,
      memoryMb: this.limits.memoryMb,
      trusted: trust === 'official',
    }
    const license = { state: 'none', features: [], expiresAt: null }
    this.#head = `{"plugin":${JSON.stringify({ name, version })},"license":${JSON.stringify(license)}`
  }

  /** The grants' limits under the platform configuration of this moment. */
  get limits(): EffectiveLimits {
    const from = this.#overrides(this.release.name)
    if (this.#limits?.from !== from) this.#limits = { from, limits: effectiveLimits(this.grants.limits, from) }
    return this.#limits.limits
  }

  /** What a tenant lets the plugin do. */
  capabilitiesFor(tenantId: number): CallCapabilities {
    const denied = this.grants.deniedFor(tenantId)
    const known = this.#capabilities.get(denied)
    if (known) return known
    const set = new Set([...this.grants.capabilities].filter((capability) => !denied.has(capability)))
    const made = { set, json: JSON.stringify([...set]) }
    this.#capabilities.set(denied, made)
    return made
  }

  /** The JSON text of the data in a call's ctx. */
  presentContext({ tenant, user, locale = 'en' }: GuestCall, capabilities: string, wallMs: number): string {
    const who = `"tenant":${tenant ? JSON.stringify(tenant) : 'null'},"user":${user ? JSON.stringify(user) : 'null'}`
    const messages = this.#messages.get(locale)
    const texts = messages === undefined ? '' : `,"messages":${messages}`
    const when = `"deadline":${Date.now() + wallMs},"locale":${JSON.stringify(locale)}`
    return `${this.#head},${who},${when},"capabilities":${capabilities}${texts}}`
  }
}

/** Makes everything that calls of a plugin have in common. */
export async function preparePlugin(
  release: Release,
  grants: Grants,
  makeBroker: MakeBroker,
  overrides: SandboxServices['limits'],
): Promise<PreparedPlugin> {
  return new PreparedPlugin({ release, grants }, makeBroker(release, grants), overrides, await readMessages(release))
}

/** The plugin's texts by locale, as JSON text. */
async function readMessages({ directory, manifest, files }: Release): Promise<ReadonlyMap<string, string>> {
  const locales = (manifest.locales ?? []).filter((locale) => Object.hasOwn(files, localeFile(locale)))
  const texts = await Promise.all(
    locales.map(async (locale): Promise<[string, string]> => {
      const text = await readFile(path.join(directory, localeFile(locale)), 'utf8')
      return [locale, JSON.stringify(JSON.parse(text))]
    }),
  )
  return new Map(texts)
}
