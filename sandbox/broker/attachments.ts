import type { Room } from '../wire/call.ts'
import { createMemoryAttachments } from './attachments/memory-attachments.ts'
import { attachmentIdOf, checkFileName, cursorOf, isGivenOf, visibilityOf } from './attachments/arguments.ts'
import type { AttachmentOwner, GuestAttachment, GuestAttachments } from './attachments/guest-attachments.ts'
import { contentOf, optionalIntegerOf, optionalTextOf, textOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import type { Provider } from './provider.ts'
import { badArgument, Refusal } from './refusal.ts'

export type { AttachmentOwner, GuestAttachment, GuestAttachments }

const megabyte = 1_048_576
const page = 20
const maxPage = 100
/** Of a file in a list, most of them its name. */
const listedBytes = 1_024
const maxSearch = 100
const minLinkTtl = 60
const maxLinkTtl = 604_800
const minTtl = 60
const maxTtl = 30 * 86_400

/** What of the platform keeps files of tenants. */
export interface AttachmentsServices {
  readonly attachments: GuestAttachments
}

/** Files of tenants; in a test they are in memory. */
export const attachments = {
  create: ({ services }) => createAttachmentCapabilities(services.attachments),
  fake({ given }) {
    const { service, attached } = createMemoryAttachments(given.attachments ?? [])
    return { services: { attachments: service }, seen: { attached } }
  },
} satisfies Provider<AttachmentsServices>

/** Files of the call's tenant, in the rights of its user, read and written by a capability each. */
function createAttachmentCapabilities(files: GuestAttachments): readonly CapabilityOperations[] {
  return [
    {
      capability: 'attachments:read',
      operations: {
        'attachments.find': (argument, call) => find(files, argument, call),
        'attachments.list': (argument, call, _signal, room) => list(files, argument, call, room),
        'attachments.read': (argument, call, _signal, room) => read(files, argument, call, room),
        'attachments.link': (argument, call) => link(files, argument, call),
      },
    },
    {
      capability: 'attachments:write',
      operations: {
        'attachments.create': (argument, call) => create(files, argument, call),
        'attachments.keep': async (argument, call) => {
          await getOwn(files, argument, call)
          if (!(await files.keep(ownerOf(call), attachmentIdOf(argument)))) throw missing()
        },
        'attachments.delete': async (argument, call) => {
          await getOwn(files, argument, call)
          await files.delete(ownerOf(call), attachmentIdOf(argument))
        },
      },
    },
  ]
}

async function find(files: GuestAttachments, argument: Argument, call: CallContext): Promise<unknown> {
  const found = await files.find(ownerOf(call), attachmentIdOf(argument))
  return found ? present(found, call.plugin) : null
}

async function list(files: GuestAttachments, argument: Argument, call: CallContext, room: Room): Promise<unknown> {
  const limit = optionalIntegerOf(argument, 'limit', 1, maxPage) ?? page
  const q = optionalTextOf(argument, 'q')
  // PostgreSQL has no text with a NUL in it.
  if (q !== undefined && (q.length > maxSearch || q.includes('\0')))
    throw badArgument(`q has at most ${maxSearch} characters`)
  const type = optionalTextOf(argument, 'type')
  if (type !== undefined && !/^[a-z]{1,20}$/.test(type))
    throw badArgument('type is what stands before a slash, such as image')
  await room(limit * listedBytes)
  const query = { q: q === '' ? undefined : q, type, isOwn: isGivenOf(argument, 'own'), before: cursorOf(argument) }
  // One more than asked for tells whether there is another page.
  const found = await files.list(ownerOf(call), { ...query, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const cursor = found.length > limit && last ? { cursor: last.id } : {}
  return { attachments: shown.map((file) => present(file, call.plugin)), ...cursor }
}

async function read(files: GuestAttachments, argument: Argument, call: CallContext, room: Room): Promise<unknown> {
  const most = Math.floor((call.limits.responseBytes * 3) / 4)
  const start = optionalIntegerOf(argument, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
  const length = optionalIntegerOf(argument, 'length', 1, most)
  const found = await files.find(ownerOf(call), attachmentIdOf(argument))
  if (found?.status !== 'ready') throw missing()
  const wanted = Math.min(length ?? found.size, found.size - start)
  if (wanted > most) {
    throw new Refusal('invalid', 'attachment_too_large', `Read at most ${most} bytes at a time, or make a link`)
  }
  if (wanted <= 0) return { base64: '' }
  await room(Math.ceil((wanted * 4) / 3))
  const parts: Buffer[] = []
  for await (const part of await files.open(ownerOf(call), found.id, { start, end: start + wanted - 1 }))
    parts.push(part)
  call.usage.add('storageReadBytes', wanted)
  return { base64: Buffer.concat(parts).toString('base64') }
}

async function link(files: GuestAttachments, argument: Argument, call: CallContext): Promise<unknown> {
  const ttlSeconds = optionalIntegerOf(argument, 'ttlSeconds', minLinkTtl, maxLinkTtl)
  if (ttlSeconds === undefined) throw badArgument('ttlSeconds says how long the link is good')
  const preset = optionalTextOf(argument, 'preset')
  if (preset !== undefined && !/^[a-z][a-z0-9_]{0,31}$/.test(preset)) throw badArgument('preset is no name of one')
  const found = await files.find(ownerOf(call), attachmentIdOf(argument))
  if (found?.status !== 'ready') throw missing()
  return files.link(ownerOf(call), found.id, { ttlSeconds, preset, preview: isGivenOf(argument, 'preview') })
}

async function create(files: GuestAttachments, argument: Argument, call: CallContext): Promise<unknown> {
  const content = contentOf(argument['data'])
  const made = await files.create(ownerOf(call), {
    filename: checkFileName(textOf(argument, 'filename')),
    content: oneOf(content),
    mostBytes: content.length,
    visibility: visibilityOf(argument),
    ttlSeconds: optionalIntegerOf(argument, 'ttlSeconds', minTtl, maxTtl),
    quotaBytes: call.limits.attachmentQuotaMb * megabyte,
  })
  call.usage.add('storageWrittenBytes', content.length)
  return present(made, call.plugin)
}

/** What the plugin itself made; others it may read are not its to change. */
async function getOwn(files: GuestAttachments, argument: Argument, call: CallContext): Promise<GuestAttachment> {
  const found = await files.find(ownerOf(call), attachmentIdOf(argument))
  if (!found) throw missing()
  if (found.plugin === call.plugin) return found
  throw new Refusal('forbidden', 'attachment_not_own', 'The plugin did not make this attachment')
}

function ownerOf({ plugin, tenantId, userId, usage }: CallContext): AttachmentOwner {
  usage.add('storageOperations')
  return { plugin, tenantId, userId }
}

function present({ plugin: maker, createdAt, expiresAt, ...file }: GuestAttachment, plugin: string): object {
  const { id, filename, mimeType, size, hash, visibility, status, width, height } = file
  return {
    ...{ id, filename, mimeType, size, hash, visibility, status, width, height },
    isOwn: maker === plugin,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

async function* oneOf(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content)
}

function missing(): Refusal {
  return new Refusal('not_found', 'attachment_not_found', 'There is no such attachment')
}
