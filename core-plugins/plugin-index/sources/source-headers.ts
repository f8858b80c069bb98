import type { SecretBox } from '#kernel'
import { invalid } from './source-address.ts'

/** What is shown instead of a header's value; sent back it keeps what is there. */
const mask = '********'
/** Those that the client itself says. */
const reserved = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'accept-encoding'])

type Headers = Readonly<Record<string, string>>

/** Opens what a row keeps. */
export function openHeaders(secrets: SecretBox, sealed: string | null): Headers {
  return sealed === null ? {} : (JSON.parse(secrets.open(sealed)) as Headers)
}

/** Seals headers for a row. */
export function sealHeaders(secrets: SecretBox, headers: Headers): string | null {
  return Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers))
}

/** The names, and nothing of the values. */
export function maskHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, mask]))
}

/** What somebody asks for over what is there; a masked value is kept only while it goes to the same server. */
export function mergeHeaders(before: Headers, asked: Headers | null, isSameServer: boolean): Headers {
  const entries = Object.entries(asked ?? {}).map(([name, value]) => {
    const key = name.toLowerCase()
    if (reserved.has(key)) throw invalid(`headers.${name}`, 'reserved', 'This header is not yours to set')
    if (value !== mask) return [key, value] as const
    const kept = Object.hasOwn(before, key) ? before[key] : undefined
    if (kept === undefined || !isSameServer) {
      throw invalid(`headers.${name}`, 'required', 'Give the value: it is not sent to another server than before')
    }
    return [key, kept] as const
  })
  return Object.fromEntries(entries)
}
