import { on } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import { AppError, MalformedBodyError, PayloadTooLargeError, TooManyPartsError } from '../errors.ts'
import { discardBody } from './discard-body.ts'
import type { UploadedFile } from './route.ts'

const fieldBytes = 64 * 1024
const mostFields = 100

interface FileLimits {
  readonly maxFileBytes: number
  readonly maxFiles: number
}
type FileEvent = [
  field: string,
  content: BusboyFileStream,
  filename: string | undefined,
  encoding: string,
  type: string,
]

/** The files of a multipart body as they come; the next one is read when the last one has been. */
export function readFiles(
  request: IncomingMessage,
  limits: FileLimits,
): AsyncIterable<UploadedFile> & { readonly fields: Readonly<Record<string, string>> } {
  const fields = Object.create(null) as Record<string, string>
  return { fields, [Symbol.asyncIterator]: () => files(request, limits, fields) }
}

async function* files(
  request: IncomingMessage,
  { maxFileBytes, maxFiles }: FileLimits,
  fields: Record<string, string>,
): AsyncGenerator<UploadedFile, void, undefined> {
  const parser = createParser(request, maxFileBytes, maxFiles)
  let current: BusboyFileStream | undefined
  const fail = (error: Error): void => {
    current?.destroy(error)
    parser.destroy(error)
  }
  const cut = (): void => fail(new MalformedBodyError())
  parser.on('field', (name: string, value: string, _nameIsCut: boolean, isCut: boolean) => {
    if (isCut) fail(new PayloadTooLargeError({ limit: fieldBytes }))
    else if (value.includes('\0')) fail(new MalformedBodyError())
    else fields[name] = value
  })
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(new TooManyPartsError({ limit: limit === 'filesLimit' ? maxFiles : mostFields })))
  }
  // Before the iterator below gets to see the file: a body that ends too early does so within the same turn.
  parser.on('file', (_field, content: BusboyFileStream) => (current = content.on('error', () => undefined)))
  // The parser does not end the file that it was in, and its reader would wait for ever.
  parser.on('error', (error: Error) => current?.destroy(error))
  request.once('error', cut)
  try {
    const events = on(parser, 'file', { close: ['finish'] }) as AsyncIterable<FileEvent>
    request.pipe(parser)
    for await (const [field, content, filename = '', , mimeType] of events) {
      const reader = Readable.from(guard(content, maxFileBytes), { objectMode: false })
      yield { field, filename, mimeType, content: reader }
      if (!reader.readableEnded) content.resume()
    }
  } catch (error) {
    throw asAppError(error)
  } finally {
    request.off('error', cut)
    request.unpipe(parser)
    parser.destroy()
    discardBody(request)
  }
}

function createParser(request: IncomingMessage, maxFileBytes: number, maxFiles: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fileSize: maxFileBytes,
        files: maxFiles,
        fields: mostFields,
        parts: maxFiles + mostFields,
        fieldSize: fieldBytes,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    })
  } catch (cause) {
    throw new MalformedBodyError({ cause })
  }
}

/** A file's bytes; one that grows too large or is cut short ends in the error the caller shall see. */
async function* guard(content: BusboyFileStream, limit: number): AsyncGenerator<Buffer, void, undefined> {
  content.once('limit', () => content.destroy(new PayloadTooLargeError({ limit })))
  try {
    for await (const chunk of content) yield chunk as Buffer
  } catch (error) {
    throw asAppError(error)
  }
}

function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new MalformedBodyError({ cause: error })
}
