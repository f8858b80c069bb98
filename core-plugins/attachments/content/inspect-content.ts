import { Readable } from 'node:stream'
import { FileRejectedError } from '../errors.ts'
import { FrameCounter } from './frame-counter.ts'
import { isOfKind, mimeTypeOf } from './file-kind.ts'
import { readImageSize, sizeOfJpeg, turned, type ImageSize } from './image-size.ts'
import { JpegSeeker } from './jpeg-seeker.ts'
import { OrientationSeeker } from './orientation-seeker.ts'

/** Enough for what precedes the size of a photograph: colour profiles and a small picture of it. */
const headBytes = 256 * 1024

/** Content on its way, looked at while it passes. */
interface InspectedContent {
  readonly stream: Readable
  /** Known once the stream has ended. */
  imageSize(): ImageSize | undefined
  /** Of an image that moves, once the stream has ended. */
  frames(): number | undefined
}

/** How much of a content may come, and what to throw for more. */
interface ContentRoom {
  readonly bytes: number
  readonly error: () => Error
}

/** Looks at the first bytes before any goes on, and counts; what it throws ends the stream. 400/4008 for bytes of another kind. */
export function inspectContent(
  content: AsyncIterable<Buffer>,
  extension: string,
  rooms: readonly ContentRoom[],
): InspectedContent {
  const mimeType = mimeTypeOf(extension)
  const seeker = OrientationSeeker.for(mimeType)
  const counter = FrameCounter.for(mimeType)
  const jpeg = mimeType === 'image/jpeg' ? new JpegSeeker() : undefined
  let size: ImageSize | undefined

  function look(head: Buffer): void {
    if (!isOfKind(extension, head)) {
      throw new FileRejectedError({ fault: `its content is not ${extension}` }, { details: { cause: 'magic_bytes' } })
    }
    if (!jpeg) size = readImageSize(mimeType, head)
  }

  async function* pass(): AsyncGenerator<Buffer> {
    let total = 0
    let held: Buffer[] | undefined = []
    for await (const chunk of content) {
      total += chunk.length
      seeker?.push(chunk)
      counter?.push(chunk)
      jpeg?.push(chunk)
      const over = rooms.find(({ bytes }) => total > bytes)
      if (over) throw over.error()
      if (!held) {
        yield chunk
        continue
      }
      held.push(chunk)
      if (total < headBytes) continue
      const head = Buffer.concat(held)
      held = undefined
      look(head)
      yield head
    }
    if (!held) return
    const head = Buffer.concat(held)
    look(head)
    if (head.length > 0) yield head
  }

  return {
    stream: Readable.from(pass(), { objectMode: false }),
    imageSize: () => (jpeg ? sizeOfJpeg(jpeg) : size && turned(size, seeker?.orientation)),
    frames: () => counter?.frames,
  }
}
