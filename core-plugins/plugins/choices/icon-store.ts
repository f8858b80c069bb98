import { Readable } from 'node:stream'
import { AppError } from '#kernel'
import type { Knex } from 'knex'
import type { ChosenIcon, PluginRow, ReleaseRow } from '../shared/models.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { IconNeeds } from './needs.ts'
import { hashOf, readPackaged } from '../releases/packaged-file.ts'
import { iconHashOf } from '../shared/icon-url.ts'
import { IconNotFoundError } from './errors.ts'

/** Where pictures lay before they were attachments; not below `plugins/`, where plugins themselves write. */
const former = 'plugin-icons'
/** Until it is chosen: what a crash left behind goes by itself. */
const unchosenSeconds = 3_600
const mostFiles = 100

/** A picture that was checked. */
export interface Icon {
  readonly bytes: Buffer
  readonly sha256: string
  readonly contentType: 'image/png' | 'image/webp'
}

/** What a store of icons stands on. */
type IconParts = Pick<IconNeeds, 'storage' | 'attachments' | 'store' | 'loader'>
type DroppingParts = Pick<IconNeeds, 'db' | 'storage' | 'attachments'>

/** Keeps an administrator's picture of a plugin as a file of the platform, for a while; answers its id. */
export async function keepIcon({ attachments }: IconParts, plugin: string, icon: Icon): Promise<string> {
  const file = await attachments.create({
    ...{ tenantId: 0, ownerId: 0, filename: filenameOf(plugin, icon.contentType), usage: 'plugin', from: 'platform' },
    content: Readable.from([icon.bytes]),
    mostBytes: icon.bytes.length,
    ttlSeconds: unchosenSeconds,
  })
  return file.id
}

/** Makes this the file that the picture of a plugin needs; undefined for none. */
export function holdIcon(
  { attachments }: Pick<IconNeeds, 'attachments'>,
  trx: Knex.Transaction,
  plugin: string,
  attachment: string | undefined,
): Promise<void> {
  return attachments.reference(0, `plugin_icon:${plugin}`, attachment === undefined ? [] : [attachment], trx)
}

/** Deletes pictures of a plugin that were chosen once, but for this one; all of them unless it is said. */
export async function pruneIcons(
  { storage, attachments }: DroppingParts,
  plugin: string,
  kept?: ChosenIcon | null,
): Promise<void> {
  const icons = storage.open(former, 0)
  const { items } = await icons.list({ prefix: `${plugin}/`, limit: 1_000 })
  const isKept = (key: string): boolean => kept?.attachment === undefined && key === `${plugin}/${kept?.sha256}`
  for (const { key } of items) if (!isKept(key)) await icons.delete(key)
  const found = await attachments.list(0, { usage: 'plugin', q: filenameOf(plugin), limit: mostFiles })
  for (const { id, ownerId, filename, expiresAt } of found) {
    const isOurs = ownerId === 0 && filename.startsWith(filenameOf(plugin)) && expiresAt === null
    if (isOurs && id !== kept?.attachment) await dropFile(attachments, id)
  }
}

/** A plugin's picture; throws 404/4040 where it has none. */
export async function readIcon(parts: IconParts, plugin: PluginRow, release: ReleaseRow): Promise<Icon> {
  const sha256 = iconHashOf(plugin, release)
  if (sha256 === undefined) throw new IconNotFoundError()
  const own = plugin.icon && (await openOwn(parts, plugin.name, plugin.icon))
  if (own) return { bytes: await readAll(own), sha256, contentType: typeOf(plugin.icon?.content_type) }
  return readOfPackage(parts, plugin, release)
}

/** Undefined for one that is not there, or not yet while it is looked through. */
async function openOwn(
  { attachments, storage }: IconParts,
  plugin: string,
  { attachment, sha256 }: ChosenIcon,
): Promise<AsyncIterable<unknown> | undefined> {
  if (attachment === undefined) return (await storage.open(former, 0).get(`${plugin}/${sha256}`))?.content
  const key = { tenantId: 0, id: attachment }
  return (await attachments.find(key))?.status === 'ready' ? attachments.open(key) : undefined
}

/** One that goes anyway, or that somebody else needs by now, stays. */
async function dropFile(attachments: AttachmentFiles, id: string): Promise<void> {
  try {
    await attachments.delete({ tenantId: 0, id })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
  }
}

/** Without a type the beginning of all of a plugin's. */
function filenameOf(plugin: string, contentType?: Icon['contentType']): string {
  return `${plugin}.icon.${contentType === undefined ? '' : contentType.slice('image/'.length)}`
}

async function readOfPackage(parts: IconParts, plugin: PluginRow, release: ReleaseRow): Promise<Icon> {
  const { icon = '' } = release.manifest
  const bytes = await readPackaged(parts, plugin, release, icon)
  if (!bytes) throw new IconNotFoundError()
  return {
    ...{ bytes, sha256: release.files[icon] ?? hashOf(bytes) },
    contentType: typeOf(icon.endsWith('.webp') ? 'image/webp' : 'image/png'),
  }
}

function typeOf(contentType: string | undefined): Icon['contentType'] {
  return contentType === 'image/webp' ? 'image/webp' : 'image/png'
}

async function readAll(content: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const bytes of content) pieces.push(bytes as Buffer)
  return Buffer.concat(pieces)
}
