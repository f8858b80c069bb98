import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PluginRow, ReleaseRow } from '../shared/models.ts'
import type { Parts } from '../running/parts.ts'
import { iconHashOf } from '../shared/icon-url.ts'
import { IconNotFoundError } from './errors.ts'

/** Not below `plugins/`: that is where plugins themselves write. */
const namespace = 'plugin-icons'

/** A picture that was checked. */
export interface Icon {
  readonly bytes: Buffer
  readonly sha256: string
  readonly contentType: 'image/png' | 'image/webp'
}

/** What a store of icons stands on. */
type IconParts = Pick<Parts, 'storage' | 'store' | 'loader'>

/** Keeps an administrator's picture of a plugin where every host finds it. */
export async function keepIcon({ storage }: IconParts, plugin: string, icon: Icon): Promise<void> {
  const options = { contentType: icon.contentType }
  await storage.open(namespace, 0).put(`${plugin}/${icon.sha256}`, icon.bytes, options)
}

/** Deletes pictures of a plugin but this one; all of them unless it is said. Answers how many went. */
export async function pruneIcons({ storage }: Pick<Parts, 'storage'>, plugin: string, kept?: string): Promise<number> {
  const icons = storage.open(namespace, 0)
  const { items } = await icons.list({ prefix: `${plugin}/`, limit: 1_000 })
  const gone = items.filter(({ key }) => key !== `${plugin}/${kept}`)
  for (const { key } of gone) await icons.delete(key)
  return gone.length
}

/** A plugin's picture; throws 404/4040 where it has none. */
export async function readIcon(parts: IconParts, plugin: PluginRow, release: ReleaseRow): Promise<Icon> {
  const sha256 = iconHashOf(plugin, release)
  if (sha256 === undefined) throw new IconNotFoundError()
  const own = plugin.icon && (await parts.storage.open(namespace, 0).get(`${plugin.name}/${sha256}`))
  if (own) return { bytes: await readAll(own.content), sha256, contentType: typeOf(plugin.icon?.content_type) }
  return readPackaged(parts, plugin, release)
}

/** From the release on this host, which is unpacked anew when it is not as it was signed. */
async function readPackaged(parts: IconParts, plugin: PluginRow, release: ReleaseRow): Promise<Icon> {
  const { icon } = release.manifest
  const sha256 = icon === undefined ? undefined : release.files[icon]
  if (icon === undefined || sha256 === undefined) throw new IconNotFoundError()
  const file = path.join(parts.store.directoryOf(release), icon)
  let bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined || hashOf(bytes) !== sha256) {
    await parts.loader.prepare({ id: plugin.id, name: plugin.name, releaseId: release.id })
    bytes = await readFile(file)
  }
  return { bytes, sha256, contentType: typeOf(icon.endsWith('.webp') ? 'image/webp' : 'image/png') }
}

/** The SHA-256 of bytes, in hex. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function typeOf(contentType: string | undefined): Icon['contentType'] {
  return contentType === 'image/webp' ? 'image/webp' : 'image/png'
}

async function readAll(content: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const bytes of content) pieces.push(bytes as Buffer)
  return Buffer.concat(pieces)
}
