import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addRelease } from '../keeper/add-release.ts'
import { buildIndex } from '../keeper/build-index.ts'
import { packageLimits } from '../package/package-limits.ts'
import type { SigningKey } from '../package/signature.ts'
import { presentRefusal, refusal, tooLarge, type PushAnswer } from './answers.ts'
import { applyChange, ChangeReader } from './apply-change.ts'
import { CiTokenError } from './ci-tokens.ts'
import { PushAccess, type Pusher } from './push-access.ts'
import { changeBytes, type ChangeStatement } from './signed-change.ts'

/** What pushes are received with. */
interface ReceiverOptions {
  /** The folder of the index. */
  readonly folder: string
  readonly accessFile: string
  /** As many keys of the index as its root asks for. */
  readonly keys: readonly SigningKey[]
  readonly expiresDays: number
}

/** A push is given up when its bytes take longer. */
const patienceMs = 5 * 60_000
/** Beyond it pushes are told to come later: each waits with its package on the disk. */
const mostWaiting = 8
const retrySeconds = 5

/** Takes packages in over HTTP, and what publishers change about them: who pushes is known first, then the bytes are read, then one after the other is done and built. */
export class PushReceiver {
  readonly #options: ReceiverOptions
  readonly #access: PushAccess
  readonly #changes: ChangeReader
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #written: Promise<unknown> = Promise.resolve()

  constructor(options: ReceiverOptions) {
    this.#options = options
    this.#access = new PushAccess(options.accessFile)
    this.#changes = new ChangeReader(options.folder)
  }

  /** Builds the index, so that one which ended in the middle of a push is whole. */
  async open(): Promise<void> {
    await this.#build()
  }

  async whole(): Promise<void> {
    await this.#written
  }

  /** Answers `POST /-/packages`: 201, 400, 401, 403, 409, 413, 422, 500 or 503. */
  receive(request: IncomingMessage): Promise<PushAnswer> {
    return this.#take(request, packageLimits.zipBytes, (file, scratch, pusher) => this.#add(file, scratch, pusher))
  }

  /** Answers `POST /-/changes`: 200, 400, 401, 403, 404, 409, 413, 422, 500 or 503. */
  receiveChange(request: IncomingMessage): Promise<PushAnswer> {
    return this.#take(request, changeBytes, (file, _scratch, pusher) => this.#change(file, pusher))
  }

  /** Who sends is known first; then the body is read, and the work done in its turn. */
  async #take(
    request: IncomingMessage,
    most: number,
    work: (file: string, scratch: string, pusher: Pusher) => Promise<PushAnswer>,
  ): Promise<PushAnswer> {
    const pusher = await this.#identify(request.headers.authorization)
    if ('status' in pusher) return pusher
    if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge(most)
    if (this.#waiting >= mostWaiting)
      return refusal(503, 'busy', 'Too many releases are being published: come again.', {
        'retry-after': String(retrySeconds),
      })
    this.#waiting += 1
    const scratch = await mkdtemp(join(tmpdir(), 'stoa-push-'))
    try {
      const file = join(scratch, 'body')
      if (!(await readBody(request, file, most))) return tooLarge(most)
      return await this.#inTurn(() => work(file, scratch, pusher))
    } finally {
      this.#waiting -= 1
      await rm(scratch, { recursive: true, force: true })
    }
  }

  async #identify(header: string | undefined): Promise<Pusher | PushAnswer> {
    const token = /^Bearer ([\x21-\x7e]{1,16384})$/i.exec(header ?? '')?.[1]
    const challenge = { 'www-authenticate': 'Bearer' }
    if (token === undefined) return refusal(401, 'token_missing', 'Send a token: Authorization: Bearer …', challenge)
    try {
      return (
        (await this.#access.find(token)) ??
        refusal(401, 'token_unknown', 'Nobody has this token, or it has ended.', challenge)
      )
    } catch (error) {
      if (!(error instanceof CiTokenError)) throw error
      return refusal(401, 'identity_refused', `The identity token is not believed: ${error.message}.`, challenge)
    }
  }

  async #add(zip: string, scratch: string, { publisher, provenance }: Pusher): Promise<PushAnswer> {
    const written = Promise.withResolvers<void>()
    try {
      await mkdir(join(scratch, 'work'))
      const { name, version, files, findings } = await addRelease(this.#options.folder, zip, {
        scratch: join(scratch, 'work'),
        publisher,
        onWrite: () => void (this.#written = written.promise),
        ...(provenance && { provenance }),
      })
      const { sequence } = await this.#build()
      return { status: 201, body: { name, version, files, findings, sequence, provenance: provenance ?? null } }
    } catch (error) {
      return presentRefusal(error)
    } finally {
      written.resolve()
    }
  }

  async #change(file: string, { publisher }: Pusher): Promise<PushAnswer> {
    const written = Promise.withResolvers<void>()
    try {
      const change = await this.#changes.read(await readFile(file), publisher)
      if ('status' in change) return change
      this.#written = written.promise
      await applyChange(this.#options.folder, change)
      const { sequence } = await this.#build()
      return { status: 200, body: { ...presentChange(change), sequence } }
    } catch (error) {
      return presentRefusal(error)
    } finally {
      written.resolve()
    }
  }

  #build() {
    const { folder, keys, expiresDays } = this.#options
    return buildIndex(folder, { keys, expiresDays, hasSite: true })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

function presentChange({ action, plugin, ...change }: ChangeStatement) {
  return {
    action,
    name: plugin,
    ...('version' in change ? { version: change.version } : { versions: change.versions }),
  }
}

/** Writes the body into a file; answers whether it fits. */
async function readBody(request: IncomingMessage, path: string, most: number): Promise<boolean> {
  let size = 0
  const meter = new Transform({
    transform(part: Buffer, _encoding, next: TransformCallback) {
      size += part.length
      next(size > most ? new RangeError('too large') : null, part)
    },
  })
  try {
    await pipeline(request, meter, createWriteStream(path), { signal: AbortSignal.timeout(patienceMs) })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
