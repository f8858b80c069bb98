/** The version of the protocol that is spoken. Source: https://tus.io/protocols/resumable-upload, 1.0.0. */
export const tusVersion = '1.0.0'

/** What of the protocol is spoken beside its core. */
export const tusExtensions = [
  ...['creation', 'creation-defer-length', 'creation-with-upload'],
  ...['checksum', 'expiration', 'termination'],
]

/** Digests that a checksum may be of, the one to be preferred first. */
export const checksumAlgorithms = ['sha256', 'sha1'] as const

/** Headers that every answer has. */
export const tusHeaders = { 'tus-resumable': tusVersion } as const
