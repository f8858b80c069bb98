import type { Readable } from 'node:stream'

/** What has come, all at once, each time somebody is ready for more; throws what the stream failed with. */
export async function* pieces(body: Readable): AsyncGenerator<Buffer> {
  for (;;) {
    const piece = body.read() as Buffer | null
    if (piece !== null) yield piece
    else if (body.errored) throw body.errored
    else if (body.readableEnded || body.destroyed) return
    else await change(body)
  }
}

/** Something came, or nothing does any more. */
function change(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    const names = ['readable', 'end', 'error', 'close'] as const
    const done = (): void => {
      for (const name of names) body.off(name, done)
      resolve()
    }
    for (const name of names) body.on(name, done)
  })
}
