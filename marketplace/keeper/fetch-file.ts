import { setTimeout as pause } from 'node:timers/promises'

/** How a file is fetched. */
interface FetchOptions {
  /** Bytes; a file that is larger is none. */
  readonly most: number
  readonly headers?: Readonly<Record<string, string>>
}

const tries = 3
const timeoutMs = 30_000
const pauseMs = 300

/** A file that is not there, or cannot be fetched after three tries. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
}

/** Fetches a file from the web server of an index; undefined where the server has none. Throws a FetchFailure. */
export async function fetchFile(url: string, options: FetchOptions): Promise<Buffer | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(url, options)
    } catch (cause) {
      if (attempt === tries || cause instanceof FetchFailure)
        throw cause instanceof FetchFailure
          ? cause
          : new FetchFailure(`${url} cannot be fetched: ${reasonOf(cause)}`, { cause })
      await pause(pauseMs * attempt)
    }
  }
}

async function tryOnce(url: string, { most, headers = {} }: FetchOptions): Promise<Buffer | undefined> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
  if (answer.status === 404 || answer.status === 410) return undefined
  if (answer.status >= 500 || answer.status === 429) throw new Error(`the server answers ${answer.status}`)
  if (!answer.ok || !answer.body)
    throw new FetchFailure(`${url} cannot be fetched: the server answers ${answer.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > most) throw new FetchFailure(`${url} is larger than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function reasonOf(error: unknown): string {
  const { cause = error } = error as Error
  return (cause as Error).message
}
