import { createHash } from 'node:crypto'
import { PluginStorageQuotaError } from '../../errors.ts'
import type { PluginObject, PluginObjectStore } from '../../plugin-objects.ts'

interface Kept {
  readonly object: PluginObject
  readonly content: Buffer
}

/** The objects of a plugin under test, each tenant's apart, kept to the production's quota and gone with the test. */
export function createMemoryObjects(): (plugin: string, tenantId: number) => PluginObjectStore {
  const stores = new Map<number, PluginObjectStore>()
  return (_, tenantId) => {
    const store = stores.get(tenantId) ?? createStore(tenantId)
    stores.set(tenantId, store)
    return store
  }
}

function createStore(tenantId: number): PluginObjectStore {
  const kept = new Map<string, Kept>()
  const find = (key: string): Kept | undefined => {
    const found = kept.get(key)
    return found?.object.expiresAt && found.object.expiresAt.getTime() <= Date.now() ? undefined : found
  }
  const usage = (): { bytes: number; objects: number } => {
    const sizes = [...kept.values()].map(({ object }) => object.size)
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), objects: sizes.length }
  }
  return {
    put(key, content, { contentType = 'application/octet-stream', ttlSeconds, limits } = {}) {
      const { bytes, objects } = usage()
      const before = kept.get(key)?.object
      const isFull =
        limits &&
        (content.length > limits.objectBytes ||
          bytes - (before?.size ?? 0) + content.length > limits.totalBytes ||
          (!before && objects >= limits.objects))
      if (isFull) return Promise.reject(new PluginStorageQuotaError())
      const sha256 = createHash('sha256').update(content).digest('hex')
      const expiresAt = ttlSeconds === undefined ? null : new Date(Date.now() + ttlSeconds * 1000)
      const object = { key, size: content.length, contentType, sha256, createdAt: new Date(), expiresAt }
      kept.set(key, { object, content })
      return Promise.resolve(object)
    },
    get(key) {
      const found = find(key)
      return Promise.resolve(found && { object: found.object, content: bytesOf(found.content) })
    },
    stat: (key) => Promise.resolve(find(key)?.object),
    delete: (key) => Promise.resolve(kept.delete(key)),
    list({ prefix = '', cursor = '', limit = 100 } = {}) {
      const keys = [...kept.keys()].filter((key) => key.startsWith(prefix) && key > cursor && find(key)).sort()
      const page = keys.slice(0, limit)
      const items = page.flatMap((key) => find(key)?.object ?? [])
      return Promise.resolve({ items, nextCursor: keys.length > limit ? page.at(-1) : undefined })
    },
    usage: () => Promise.resolve(usage()),
    signedUrl: (key, ttlSeconds) => Promise.resolve(`https://files.test/${tenantId}/${key}?ttl=${ttlSeconds}`),
  }
}

async function* bytesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content)
}
