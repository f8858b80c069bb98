import { AppError } from '#kernel'
import type { AiCallableModel, NeutralMessage, NeutralPart } from '../../ai/contract.ts'
import { readWhole, type OwnFiles } from './own-files.ts'

/** Of a conversation, the last ones: those before them are told as words. */
const mostPictures = 8
const mostBytes = 10 * 1_048_576

/** Whose conversation it is, and what the pictures are for. */
interface PictureWish {
  readonly user: { readonly tenantId: number; readonly userId: number }
  readonly model: Pick<AiCallableModel, 'capabilities'> | undefined
  readonly files: OwnFiles
  readonly signal: AbortSignal
}

/** The messages with the bytes of their last pictures, for one run; one that is gone, or that the model cannot see, is told as words. */
export async function loadPictures(
  messages: readonly NeutralMessage[],
  wish: PictureWish,
): Promise<readonly NeutralMessage[]> {
  const wanted = messages.flatMap(({ parts }) => parts.flatMap((part) => fileIn(part) ?? []))
  if (wanted.length === 0) return messages
  const sees = wish.model?.capabilities['vision'] === true
  const last = [...new Set(wanted.toReversed())].slice(0, sees ? mostPictures : 0)
  const loaded = await load(last, wish)
  const gone: NeutralPart = { type: 'text', text: '[a picture that is not shown any more]' }
  const shown = (part: NeutralPart): NeutralPart => {
    const id = fileIn(part)
    return id === undefined ? part : (loaded.get(id) ?? gone)
  }
  return messages.map((message) => ({ ...message, parts: message.parts.map(shown) }))
}

async function load(ids: readonly string[], { user, files, signal }: PictureWish) {
  const loaded = new Map<string, NeutralPart>()
  let room = mostBytes
  for (const id of ids) {
    const file = await files.find(id, user)
    if (!file || file.size > room) continue
    const bytes = await readWhole(files, file, signal).catch(ifGone)
    if (!bytes) continue
    room -= file.size
    const source = { kind: 'data' as const, mediaType: file.mimeType, base64: bytes.toString('base64') }
    loaded.set(id, { type: 'image', source })
  }
  return loaded
}

function ifGone(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status !== 404) throw error
}

function fileIn(part: NeutralPart): string | undefined {
  return part.type === 'image' && part.source.kind === 'file_id' ? part.source.id : undefined
}
