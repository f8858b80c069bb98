import type { Place } from './stored-rows.ts'

/** Questions to a storage at once. */
const most = 16

/** Does something with several places, some at once. */
export async function eachInParallel(places: readonly Place[], work: (place: Place) => Promise<void>): Promise<void> {
  const queue = places.values()
  const worker = async () => {
    for (const place of queue) await work(place)
  }
  await Promise.all(Array.from({ length: Math.min(most, places.length) }, worker))
}
