/** A path of the console that somebody named, as in a link; the start for anything else, so that no link leads elsewhere. */
export function consolePath(named: unknown): string {
  return typeof named === 'string' && /^\/(?![/\\])/.test(named) ? named : '/'
}
