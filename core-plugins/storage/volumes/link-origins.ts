import type { OpenVolume } from '../contract.ts'
import { newLocation } from '../objects/new-location.ts'

const example = newLocation(0, 'example', undefined)
const found = new WeakMap<OpenVolume, Promise<readonly string[]>>()

/** The origins that links to objects of a place lead to; none where their bytes come through the platform. */
export function linkOrigins(place: OpenVolume): Promise<readonly string[]> {
  const known = found.get(place)
  if (known) return known
  const finding = find(place)
  found.set(place, finding)
  // A failure is not kept.
  finding.catch(() => found.delete(place))
  return finding
}

/** Links are made and not followed: nothing has to lie there. */
async function find({ driver, baseUrl, volume }: OpenVolume): Promise<readonly string[]> {
  if (driver === 'local') return []
  const options = volume.imageProcess === 'imgproxy' ? [{}, { imageProxyOptions: 'plain' }] : [{}]
  const links = await Promise.all(options.map(async (each) => volume.presignGet?.(example, { seconds: 60, ...each })))
  return [...new Set([baseUrl, ...links].flatMap(originOf))].sort()
}

/** It goes into a policy, where `*`, `;` and `,` say more than an origin does, and URLs let them through. */
function originOf(address: string | undefined): readonly string[] {
  const { origin = '' } = URL.parse(address ?? '') ?? {}
  return /^https?:\/\/[a-z0-9._-]+(:\d+)?$/.test(origin) ? [origin] : []
}
