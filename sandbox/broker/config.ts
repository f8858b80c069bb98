import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import { textOf } from './argument.ts'
import type { CallContext, CapabilityOperations } from './capability.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { Refusal } from './refusal.ts'
import type { FakeSurroundings, Provider } from './provider.ts'

/** What of the platform keeps settings. */
export interface ConfigServices {
  /** The plugin's effective configuration under its short keys, secrets in plain text. */
  readonly config: (plugin: string, tenantId: number) => Promise<Readonly<Record<string, unknown>>>
}

/** The plugin's settings; in a test the manifest's defaults under what it gives. */
export const config: Provider<ConfigServices> = {
  create: ({ services, manifest, secrets }) => createConfigCapability(services.config, manifest, secrets),
  fake(surroundings) {
    const values = givenConfig(surroundings)
    return { services: { config: () => Promise.resolve(values) } }
  },
}

/** The plugin's effective configuration; the secrets it was shown are remembered, to be kept out of logs. */
export function createConfigCapability(
  config: ConfigServices['config'],
  manifest: PluginManifest,
  secrets: KnownSecrets,
): CapabilityOperations {
  const secretKeys = (manifest.config ?? []).filter(({ type }) => type === 'PASSWORD').map(({ key }) => key)

  async function read({ plugin, tenantId }: CallContext): Promise<Readonly<Record<string, unknown>>> {
    const values = await config(plugin, tenantId)
    if (secretKeys.length > 0)
      secrets.remember(
        plugin,
        tenantId,
        secretKeys.map((key) => values[key]),
      )
    return values
  }

  return {
    capability: 'config',
    operations: {
      'config.get': async (argument, call) => {
        const key = textOf(argument, 'key')
        const values = await read(call)
        if (Object.hasOwn(values, key)) return values[key]
        throw new Refusal('invalid', 'config_key_unknown', 'The manifest has no such configuration key')
      },
      'config.all': (_argument, call) => read(call),
    },
  }
}

/** A value for what the manifest does not have is a mistake of the test. */
function givenConfig({
  manifest: { name, config = [] },
  given: { config: given = {} },
}: FakeSurroundings): Readonly<Record<string, unknown>> {
  const stranger = Object.keys(given).find((key) => !config.some((item) => item.key === key))
  if (stranger !== undefined) throw new Error(`The manifest of ${name} has no configuration item ${stranger}`)
  const defaults = config.flatMap((item) => (item.default === undefined ? [] : [[item.key, item.default] as const]))
  return { ...Object.fromEntries(defaults), ...given }
}
