import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { SandboxServices } from '../services.ts'
import { textOf } from './argument.ts'
import type { CallContext, CapabilityOperations } from './capability.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { Refusal } from './refusal.ts'

/** The plugin's effective configuration; the secrets it was shown are remembered, to be kept out of logs. */
export function createConfigCapability(
  config: SandboxServices['config'],
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
