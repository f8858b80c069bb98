import type { SecretBox } from '#kernel'
import { isAtLeast } from '#marketplace'
import { invalid, readSourceUrl } from './source-address.ts'
import { mergeHeaders, openHeaders, sealHeaders } from './source-headers.ts'
import type { SourceRow } from './models.ts'

/** What administrators say of a source; what is left out stays, or is the usual. */
export interface SourceChange extends Partial<
  Pick<
    SourceRow,
    | 'name'
    | 'url'
    | 'priority'
    | 'enabled'
    | 'minTrust'
    | 'maxTrust'
    | 'allow'
    | 'deny'
    | 'downloadHosts'
    | 'unsigned'
    | 'judges'
  >
> {
  readonly headers?: Readonly<Record<string, string>> | null
  readonly rootFingerprint?: string | null
}

/** What a source is unless it is said otherwise. */
export const usualSource = {
  priority: 100,
  enabled: true,
  headers: null,
  minTrust: 'community',
  maxTrust: 'verified',
  allow: [],
  deny: [],
  downloadHosts: [],
  judges: [],
  unsigned: false,
  rootFingerprint: null,
} as const satisfies Partial<SourceRow>

/** The columns that a change leads to; throws 422/4220 for what cannot be. */
export function changeSource(
  before: Pick<SourceRow, keyof typeof usualSource> & { readonly url: string },
  { url: asked, headers, ...change }: SourceChange,
  secrets: SecretBox,
): Partial<SourceRow> {
  const url = asked === undefined ? new URL(before.url) : readSourceUrl(asked)
  const known = openHeaders(secrets, before.headers)
  const isSameServer = url.origin === new URL(before.url).origin && url.protocol !== 'file:'
  if (headers === undefined && !isSameServer && Object.keys(known).length > 0) {
    throw invalid('headers', 'required', 'Give the headers anew: they are not sent to another server than before')
  }
  const after = { ...before, ...change }
  if (!isAtLeast(after.maxTrust, after.minTrust)) {
    throw invalid('min_trust', 'range', 'A source is not asked for more trust than it is given')
  }
  if (after.unsigned && after.rootFingerprint !== null) {
    throw invalid('root_fingerprint', 'conflict', 'An index without signatures has no root')
  }
  return {
    ...change,
    url: url.href,
    headers: headers === undefined ? before.headers : sealHeaders(secrets, mergeHeaders(known, headers, isSameServer)),
  }
}
