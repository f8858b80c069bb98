import { createHmac } from 'node:crypto'
import type { Cache, SecretBox } from '#kernel'
import type { NeutralAnswer } from '../wire/neutral.ts'
import type { RelayCall } from './call.ts'
import type { Plan, PlannedCall } from './plan.ts'

/** Of an answer, printed. */
const mostBytes = 1_048_576
/** What a client of its own may ask for at the most. */
const mostSeconds = 604_800

interface Entry {
  readonly at: number
  readonly answer: NeutralAnswer
}

/** Keeps answers to equal requests of one tenant and key, sealed; who has them may lose them at any time. */
export class AnswerCache {
  readonly #cache: Cache
  readonly #secrets: Pick<SecretBox, 'seal' | 'open'>
  readonly #secret: string

  constructor(cache: Cache, secrets: Pick<SecretBox, 'seal' | 'open'>, secret: string) {
    this.#cache = cache
    this.#secrets = secrets
    this.#secret = secret
  }

  /** Seconds for which an equal answer is as good as a new one; 0 where none is: nobody asked for it, or tools may be called. */
  secondsFor({ request, maxAgeSeconds }: RelayCall, { route }: Plan): number {
    if ((request.tools?.length ?? 0) > 0) return 0
    return Math.min(maxAgeSeconds ?? route?.cacheSeconds ?? 0, mostSeconds)
  }

  /** What equal requests have in common: whose they are, the version of the model, and all that it is told. */
  keyOf({ spender: { tenantId, keyId = '' }, request, guard }: PlannedCall, { model, maxOutputTokens }: Plan): string {
    // How it is answered, and what it was read from, change no word of the answer.
    const told = {
      ...request,
      model: '',
      source: undefined,
      stream: undefined,
      includeUsage: undefined,
      user: undefined,
    }
    const all = [tenantId, keyId, model.id, model.version, maxOutputTokens, sorted(told), guard?.fingerprint ?? []]
    return createHmac('sha256', this.#secret).update(JSON.stringify(all)).digest('base64url')
  }

  async find(key: string, seconds: number): Promise<NeutralAnswer | undefined> {
    const sealed = await this.#cache.get<string>(key)
    if (sealed === undefined) return undefined
    const { at, answer } = JSON.parse(this.#secrets.open(sealed)) as Entry
    return Date.now() - at <= seconds * 1_000 ? answer : undefined
  }

  /** Keeps an answer that was whole; the vendor's own words go, since others may ask in another dialect. */
  async keep(key: string, answer: NeutralAnswer, seconds: number): Promise<void> {
    if (answer.finish !== 'stop' && answer.finish !== 'stop_sequence' && answer.finish !== 'length') return
    const text = JSON.stringify({ at: Date.now(), answer: { ...answer, frame: undefined } })
    if (Buffer.byteLength(text) > mostBytes) return
    await this.#cache.set(key, this.#secrets.seal(text), seconds)
  }
}

/** The same value with the members of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]))
}
