import { createHash, randomUUIDv7 } from 'node:crypto'
import { PluginStorageQuotaError } from '../../errors.ts'
import type { TestAttachment } from '../../capabilities/attachments.ts'
import { Refusal } from '../refusal.ts'
import type { AttachmentOwner, GuestAttachment, GuestAttachments } from './guest-attachments.ts'

type Attached = TestAttachment & { readonly id: string; readonly isKept: boolean }

interface Kept extends GuestAttachment {
  readonly tenantId: number
  readonly ownerId: number
  readonly content: Buffer
  readonly expiresAt: Date | null
}

const types: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', pdf: 'application/pdf' },
  ...{ txt: 'text/plain', csv: 'text/csv', json: 'application/json', md: 'text/markdown' },
}

/** The files of tenants while a plugin is tested, kept to the same rights and quota, and gone with the test. */
export function createMemoryAttachments(given: readonly TestAttachment[]): {
  readonly service: GuestAttachments
  /** What the plugin made and is still there, as it is at each look. */
  readonly attached: readonly Attached[]
} {
  const all = new Map<string, Kept>()
  for (const { id = randomUUIDv7(), filename, data, visibility = 'private', ownerId = 1, tenantId = 1 } of given) {
    const content = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.base64, 'base64')
    all.set(id, {
      ...factsOf(filename, content),
      ...{ id, visibility, ownerId, tenantId },
      plugin: null,
      expiresAt: null,
    })
  }

  function find({ tenantId, userId, plugin }: AttachmentOwner, id: string): Kept | undefined {
    const file = all.get(id)
    if (file?.tenantId !== tenantId) return undefined
    const isOpen = file.visibility === 'public' || (userId !== undefined && file.visibility === 'tenant')
    return isOpen || file.plugin === plugin || (userId !== undefined && file.ownerId === userId) ? file : undefined
  }

  const attached: Attached[] = []
  function refresh(): void {
    const made = [...all.values()].flatMap((file): Attached[] => {
      const { id, plugin, filename, content, visibility, ownerId, tenantId, expiresAt } = file
      const data = { base64: content.toString('base64') }
      if (plugin === null) return []
      return [{ ...{ id, filename, data, visibility, ownerId, tenantId }, isKept: expiresAt === null }]
    })
    attached.splice(0, attached.length, ...made)
  }

  const service: GuestAttachments = {
    find: (owner, id) => Promise.resolve(find(owner, id)),
    list(owner, { q = '', type, isOwn = false, before, limit }) {
      const files = [...all.keys()]
        .sort()
        .reverse()
        .flatMap((id) => find(owner, id) ?? [])
      const isWanted = ({ id, filename, mimeType, plugin }: Kept): boolean =>
        (before === undefined || id < before) &&
        filename.toLowerCase().includes(q.toLowerCase()) &&
        (type === undefined || mimeType.startsWith(`${type}/`)) &&
        (!isOwn || plugin === owner.plugin)
      return Promise.resolve(files.filter(isWanted).slice(0, limit))
    },
    open(owner, id, { start, end }) {
      return Promise.resolve(bytesOf(find(owner, id)?.content.subarray(start, end + 1) ?? Buffer.alloc(0)))
    },
    link: (_, id, { ttlSeconds }) => Promise.resolve(`https://files.test/attachments/${id}?ttl=${ttlSeconds}`),
    async create({ plugin, tenantId, userId = 0 }, { filename, content: stream, mostBytes, quotaBytes, ...options }) {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part)
      const content = Buffer.concat(parts)
      if (content.length > mostBytes) throw new Refusal('invalid', 'file_too_large', 'The file is too large')
      const own = [...all.values()].filter((file) => file.plugin === plugin && file.tenantId === tenantId)
      const used = own.reduce((sum, { size }) => sum + size, 0)
      if (used + content.length > quotaBytes) throw new PluginStorageQuotaError()
      const { visibility = 'private', ttlSeconds } = options
      const expiresAt = ttlSeconds === undefined ? null : new Date(Date.now() + ttlSeconds * 1000)
      const id = randomUUIDv7()
      const made = {
        ...factsOf(filename, content),
        ...{ id, visibility, tenantId, plugin, expiresAt, ownerId: userId },
      }
      all.set(id, made)
      refresh()
      return made
    },
    keep(owner, id) {
      const file = find(owner, id)
      if (file) all.set(id, { ...file, expiresAt: null })
      refresh()
      return Promise.resolve(file !== undefined)
    },
    delete(_, id) {
      all.delete(id)
      return Promise.resolve(refresh())
    },
  }

  return { service, attached }
}

function factsOf(filename: string, content: Buffer) {
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? ''
  return {
    ...{ filename, content, size: content.length, status: 'ready', width: null, height: null },
    mimeType: types[extension] ?? 'application/octet-stream',
    hash: createHash('sha256').update(content).digest('hex'),
    createdAt: new Date(),
  }
}

async function* bytesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content)
}
