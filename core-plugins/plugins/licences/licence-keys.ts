import type { KnownKey } from '../trust/known-key.ts'

/** Where the keys of publishers are looked up; a package never brings its own. */
export interface LicenceKeys {
  /** A publisher's key that is believed: Ed25519, base64url of 32 bytes. Undefined for one that nobody knows or that was revoked. */
  find(publisher: string, kid: string): Promise<{ readonly publicKey: string } | undefined>
  /** The same, whether it was revoked or not, and how it came to be known. */
  recognise(publisher: string, kid: string): Promise<KnownKey | undefined>
}
