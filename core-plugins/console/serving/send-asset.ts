import { raw, type Reply, type RouteContext } from '#kernel'
import type { Asset } from './asset-table.ts'
import { chooseCoding } from './choose-coding.ts'

/** A file in the coding that the caller takes, or 304 when the caller has it. */
export async function sendAsset(
  ctx: Pick<RouteContext, 'header' | 'isFresh'>,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const coding = chooseCoding(ctx.header('accept-encoding'), asset.codings)
  const etag = asset.etag(coding)
  const all = { ...headers, etag, ...(asset.codings.length > 0 && { vary: 'Accept-Encoding' }) }
  if (ctx.isFresh(etag)) return raw('', asset.contentType, { status: 304, headers: all })
  const coded = coding === 'identity' ? all : { ...all, 'content-encoding': coding }
  return raw(await asset.content(coding), asset.contentType, { headers: coded })
}
