/** What the prereleases of a version without a word are called. */
const unnamed = 'next'

/**
 * The channel of a version: the first word of its prerelease (`beta` of `2.0.0-beta.1`), `next` where that is a number, and null for a release.
 * Who runs a prerelease follows its channel and what is released, whichever is newer.
 */
export function channelOf(version: string): string | null {
  // A version in an index has no build metadata: a hyphen begins a prerelease.
  const at = version.indexOf('-')
  if (at === -1) return null
  const [word = ''] = version.slice(at + 1).split('.')
  return /^\d+$/.test(word) ? unnamed : word.toLowerCase()
}
