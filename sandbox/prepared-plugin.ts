import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { effectiveLimits } from './effective-limits.ts'
import { hostModuleNames } from './host-modules/host-modules.ts'
import { localeFile } from './manifest/check-files.ts'
import type { Capability } from './capabilities/table.ts'
import type { GuestCall, Release, SandboxServices } from './services.ts'
import type { EffectiveLimits, Grants } from './grants.ts'
import type { Broker } from './broker/broker.ts'
import type { Code } from './wire/call.ts'

/** The capabilities of one call: as a set for the broker, as JSON for the guest. */
interface CallCapabilities {
  readonly set: ReadonlySet<Capability>
  readonly json: string
}

/** What a call's bounds and ctx are made of. */
type ContextServices = Pick<SandboxServices, 'limits' | 'license'>

/** One release under one set of grants, with everything made that does not change from call to call. */
export class PreparedPlugin {
  readonly release: Release
  readonly grants: Grants
  readonly broker: Broker
  readonly #services: ContextServices
  readonly #head: string
  readonly #messages: ReadonlyMap<string, string>
  readonly #capabilities = new WeakMap<ReadonlySet<Capability>, CallCapabilities>()
  #limits: { readonly from: object; readonly limits: EffectiveLimits } | undefined
  #code: Code | undefined

  constructor(
    { release, grants }: { readonly release: Release; readonly grants: Grants },
    broker: Broker,
    services: ContextServices,
    messages: ReadonlyMap<string, string>,
  ) {
    const { name, version } = release
    this.release = release
    this.grants = grants
    this.broker = broker
    this.#services = services
    this.#messages = messages
    this.#head = `{"plugin":${JSON.stringify({ name, version })}`
  }

  /** The grants' limits under the platform configuration of this moment. */
  get limits(): EffectiveLimits {
    const from = this.#services.limits(this.release.name)
    if (this.#limits?.from !== from) this.#limits = { from, limits: effectiveLimits(this.grants.limits, from) }
    return this.#limits.limits
  }

  /** What sandbox hosts load; with another memory limit it is another code, because an isolate keeps the one it began with. */
  get code(): Code {
    const { memoryMb } = this.limits
    if (this.#code?.memoryMb === memoryMb) return this.#code
    const { name, treeHash, directory, files, manifest, trust } = this.release
    const id = `${name}@${treeHash}/${memoryMb}`
    const trusted = trust === 'official'
    const hostModules = hostModuleNames(manifest.hostModules)
    this.#code = { id, plugin: name, directory, main: manifest.main, files, hostModules, memoryMb, trusted }
    return this.#code
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
  presentContext(call: GuestCall, capabilities: string, wallMs: number): string {
    const { tenant, user, locale = 'en', idempotencyKey } = call
    const who = `"tenant":${tenant ? JSON.stringify(tenant) : 'null'},"user":${user ? JSON.stringify(user) : 'null'}`
    const messages = this.#messages.get(locale) ?? this.#messages.get('default')
    const texts = messages === undefined ? '' : `,"messages":${messages}`
    const when = `"deadline":${Date.now() + wallMs},"locale":${JSON.stringify(locale)}`
    const license = `"license":${JSON.stringify(this.#services.license(this.release.name, tenant?.id ?? 0))}`
    const key = idempotencyKey === undefined ? '' : `,"idempotencyKey":${JSON.stringify(idempotencyKey)}`
    return `${this.#head},${license},${who},${when}${key},"capabilities":${capabilities}${texts}}`
  }
}

/** Makes everything that calls of a plugin have in common. */
export async function preparePlugin(
  release: Release,
  grants: Grants,
  broker: Broker,
  services: ContextServices,
): Promise<PreparedPlugin> {
  return new PreparedPlugin({ release, grants }, broker, services, await readMessages(release))
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
