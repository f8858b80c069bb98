import { raw, type Reply, type RouteContext } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { AssetTable } from './asset-table.ts'
import type { Builder } from './builder.ts'
import { buildingPage } from './building-page.ts'
import { pageHeaders } from './page-policy.ts'
import { sendAsset } from './send-asset.ts'
import type { StorageOrigins } from './storage-origins.ts'

/** What the page stands on. */
interface PageParts {
  readonly assets: AssetTable
  readonly builder: Pick<Builder, 'absence' | 'bringUpToDate'>
  readonly config: Pick<ConfigReader, 'get'>
  readonly publicUrl: string
  readonly storage: Pick<StorageOrigins, 'of'>
}

type Context = Pick<RouteContext, 'header' | 'isFresh' | 'authority'>

/** The one page of the console, which holds no data and is the same for everybody. */
export class ConsolePage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** The page, or what is shown while it is not built. */
  async answer(ctx: Context): Promise<Reply> {
    const { assets, builder } = this.#parts
    const places = await this.#parts.storage.of(ctx.authority.replace(/:\d+$/, ''))
    const headers = { ...pageHeaders(ctx.authority, await this.#isSecure(), places), 'cache-control': 'no-cache' }
    const page = await assets.find('index.html')
    if (page) return sendAsset(ctx, page, headers)
    const waiting = { ...headers, 'cache-control': 'no-store', 'retry-after': '3' }
    const { absence } = builder
    if (absence === 'building') void builder.bringUpToDate()
    return raw(buildingPage(absence), 'text/html; charset=utf-8', { status: 503, headers: waiting })
  }

  /** The build that is there, for tabs that ask whether theirs is old. */
  async build(ctx: Context): Promise<Reply> {
    const record = await this.#parts.assets.record()
    const text = JSON.stringify({ build: record?.build ?? null, version: record?.version ?? null })
    const headers = { 'cache-control': 'no-cache', etag: `"${record?.build ?? 'none'}"` }
    return ctx.isFresh(headers.etag)
      ? raw('', 'application/json', { status: 304, headers })
      : raw(text, 'application/json', { headers })
  }

  async #isSecure(): Promise<boolean> {
    const { config, publicUrl } = this.#parts
    if (!publicUrl.startsWith('https:')) return false
    return (await config.get<boolean>('force_https', 0, false)) || (await config.get<boolean>('ssl_enabled', 0, false))
  }
}
