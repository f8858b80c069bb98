import type { IncomingRelease, ReleaseFacts } from '../contract-packages.ts'

/** What a package that came in is, for whoever judges it. */
export function factsOf({ opened, publisherSignature, source }: IncomingRelease): ReleaseFacts {
  const { name, version } = opened.manifest
  return { name, version, kid: publisherSignature?.kid ?? null, source }
}
