import type { PluginObject, PluginObjectStore } from '../plugin-objects.ts'
import { contentOf, optionalIntegerOf, optionalTextOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { checkContentType, checkCursor, checkKey, checkPrefix } from './storage/object-key.ts'
import { Refusal } from './refusal.ts'
import type { Room } from '../wire/call.ts'
import { createMemoryObjects } from './storage/memory-objects.ts'
import type { Provider } from './provider.ts'

const megabyte = 1_048_576
const daySeconds = 86_400
const maxTtl = 3_650 * daySeconds
const maxLinkTtl = 7 * daySeconds
const linkTtl = 300
const page = 100
const maxPage = 1_000
/** Of an object in a list, most of them its key. */
const listedBytes = 768

/** What of the platform keeps objects. */
export interface StorageServices {
  readonly storage: (plugin: string, tenantId: number) => PluginObjectStore
}

/** The plugin's objects; in a test they are in memory. */
export const storage: Provider<StorageServices> = {
  create: ({ services }) => createStorageCapability(services.storage),
  fake: () => ({ services: { storage: createMemoryObjects() } }),
}

/** The plugin's own objects, each tenant's apart; bytes cross as base64. */
export function createStorageCapability(storage: StorageServices['storage']): CapabilityOperations {
  const open = ({ plugin, tenantId, usage }: CallContext): PluginObjectStore => {
    usage.add('storageOperations')
    return storage(plugin, tenantId)
  }

  async function get(argument: Argument, call: CallContext, _signal: AbortSignal, room: Room): Promise<unknown> {
    const found = await open(call).get(checkKey(argument['key']))
    if (!found) return null
    if (found.object.size * 4 > call.limits.responseBytes * 3) throw tooLarge()
    await room(Math.ceil((found.object.size * 4) / 3))
    const content = await readObject(found.content, call.limits.responseBytes)
    call.usage.add('storageReadBytes', content.length)
    return { base64: content.toString('base64') }
  }

  async function put(argument: Argument, call: CallContext): Promise<void> {
    const { limits } = call
    const content = contentOf(argument['data'])
    const contentType = checkContentType(optionalTextOf(argument, 'contentType'))
    const ttlSeconds = optionalIntegerOf(argument, 'ttlSeconds', 1, maxTtl)
    const quota = {
      objectBytes: limits.storageObjectMb * megabyte,
      totalBytes: limits.storageQuotaMb * megabyte,
      objects: limits.storageObjects,
    }
    await open(call).put(checkKey(argument['key']), content, {
      contentType: contentType ?? defaultType(argument['data']),
      limits: quota,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    })
    call.usage.add('storageWrittenBytes', content.length)
  }

  async function list(argument: Argument, call: CallContext, _signal: AbortSignal, room: Room): Promise<unknown> {
    const cursor = checkCursor(optionalTextOf(argument, 'cursor'))
    const limit = optionalIntegerOf(argument, 'limit', 1, maxPage) ?? page
    await room(limit * listedBytes)
    const { items, nextCursor } = await open(call).list({
      prefix: checkPrefix(argument['prefix']),
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    })
    return { objects: items.map(presentObject), ...(nextCursor === undefined ? {} : { cursor: nextCursor }) }
  }

  async function stat(argument: Argument, call: CallContext): Promise<unknown> {
    const found = await open(call).stat(checkKey(argument['key']))
    return found ? presentObject(found) : null
  }

  async function signedUrl(argument: Argument, call: CallContext): Promise<unknown> {
    const ttlSeconds = optionalIntegerOf(argument, 'ttlSeconds', 1, maxLinkTtl) ?? linkTtl
    return open(call).signedUrl(checkKey(argument['key']), ttlSeconds)
  }

  return {
    capability: 'storage',
    operations: {
      'storage.get': get,
      'storage.put': put,
      'storage.delete': async (argument, call) => void (await open(call).delete(checkKey(argument['key']))),
      'storage.list': list,
      'storage.stat': stat,
      'storage.signedUrl': signedUrl,
      'storage.usage': (_argument, call) => open(call).usage(),
    },
  }
}

function defaultType(data: unknown): string {
  return typeof data === 'string' ? 'text/plain;charset=utf-8' : 'application/octet-stream'
}

function tooLarge(): Refusal {
  return new Refusal('invalid', 'object_too_large', 'The object is too large to be read here: use a signed URL')
}

/** What is larger than an answer may be is fetched by a signed URL. */
async function readObject(content: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    length += bytes.length
    if (length * 4 > maxBytes * 3) {
      throw tooLarge()
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function presentObject({ key, size, contentType, createdAt }: PluginObject): object {
  return { key, size, contentType, updatedAt: createdAt.toISOString() }
}
