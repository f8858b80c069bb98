import type { DownloadedRelease, IncomingRelease, OfferedRelease } from '../contract-packages.ts'
import type { Operation } from '../operations/operation.ts'

/** The steps that bring a package here, before all others. */
export const bringingSteps = ['download', 'verify'] as const

/** How often it is written how much has come. */
const pauseMilliseconds = 500

/** Brings an offered package here as steps of an operation, until the signal ends it; it goes again with what it is handed to. */
export async function bringRelease(
  operation: Operation,
  offered: OfferedRelease,
  kept: AsyncDisposableStack,
  signal: AbortSignal,
  [download, verify]: readonly [download: string, verify: string] = bringingSteps,
): Promise<IncomingRelease> {
  const arrived: { zip?: DownloadedRelease; release?: IncomingRelease | undefined } = {}
  await operation.step(download, async () => {
    const meter = await measuring(operation, offered.size)
    try {
      arrived.zip = kept.use(await offered.download({ onProgress: meter.tell, signal }))
    } finally {
      await meter.ended()
    }
    return { bytes: offered.size }
  })
  await operation.step(verify, async () => {
    arrived.release = await arrived.zip?.verify()
    return { trust: arrived.release?.trust ?? null }
  })
  if (!arrived.release) throw new Error('A package is brought by the host that began the operation')
  return arrived.release
}

/** Writes from time to time how much has come: never two at once, and none after the end. */
async function measuring(operation: Operation, total: number) {
  let [writing, at] = [operation.measure({ done: 0, total }), performance.now()]
  await writing
  return {
    tell: (done: number): void => {
      if (performance.now() - at < pauseMilliseconds) return
      at = performance.now()
      // Who took the operation over is met at the end of the step.
      writing = writing.then(() => operation.measure({ done, total })).catch(() => undefined)
    },
    ended: () => writing,
  }
}
