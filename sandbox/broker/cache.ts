import { createMemoryCache, type Cache } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import { optionalIntegerOf, textOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { badArgument, Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'

const maxKeyBytes = 200
const maxValueBytes = 65_536
const daySeconds = 86_400
const usualTtlSeconds = 300

/** Where values may be kept for a while. */
export interface CacheServices {
  readonly cache: Cache
}

/** The cache that every plugin has. */
export const cache: Provider<CacheServices> = {
  create: ({ services, manifest }) => createCacheCapability(services.cache, manifest.name),
  fake: () => ({ services: { cache: createMemoryCache() } }),
}

/** A cache of the plugin's own, each tenant's apart; values may be lost at any time. Everybody has it. */
export function createCacheCapability(cache: Cache, plugin: string): CapabilityOperations {
  const own = cache.withPrefix(`plg:${pluginHash8(plugin)}:`)

  return {
    operations: {
      'cache.get': async (argument, call, _signal, room) => {
        const key = keyOf(argument, call)
        await room(maxValueBytes)
        return (await own.get(key)) ?? null
      },
      'cache.set': async (argument, call) => {
        const ttlSeconds = optionalIntegerOf(argument, 'ttlSeconds', 1, daySeconds) ?? usualTtlSeconds
        const value = argument['value'] ?? null
        if (Buffer.byteLength(JSON.stringify(value)) > maxValueBytes) {
          throw new Refusal('invalid', 'value_too_large', `A value has at most ${maxValueBytes} bytes as JSON`)
        }
        await own.set(keyOf(argument, call), value, ttlSeconds)
      },
      'cache.delete': (argument, call) => own.delete(keyOf(argument, call)),
    },
  }
}

function keyOf(argument: Argument, { tenantId }: CallContext): string {
  const key = textOf(argument, 'key')
  if (key === '' || Buffer.byteLength(key) > maxKeyBytes) throw badArgument(`A key has 1 to ${maxKeyBytes} bytes`)
  return `${tenantId}:${key}`
}
