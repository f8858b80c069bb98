import { hkdfSync } from 'node:crypto'
import { ProgrammingError } from '../programming-errors.ts'
import { deriveBoundKey, openBoundText, sealBoundText } from './bound-secret.ts'
import { DecryptError } from './errors.ts'
import { openFernet, parseFernetKey, sealFernet } from './fernet.ts'

export { DecryptError } from './errors.ts'
export { generateFernetKey } from './fernet.ts'

/** Keeps secrets in the database unreadable without the key ring. */
export interface SecretBox {
  /** Encrypts with the first key of the ring. */
  seal(text: string): string
  /** Decrypts with whichever key of the ring made the token; throws DecryptError when none did. */
  open(token: string): string
  /** The same secret under the first key, its time kept. */
  rotate(token: string): string
  /**
   * Encrypts (AES-256-GCM) for one place: table, row, field and whatever else tells it from others. A token that was moved to another
   * place is opened by nobody. A column that holds it names those columns in `boundBy` of the manifest's `sealed`.
   */
  sealBound(text: string, binding: readonly string[]): string
  /** Throws DecryptError where no key of the ring made the token for this place. */
  openBound(token: string, binding: readonly string[]): string
  /** A key for one purpose, from the application's secret. */
  derive(purpose: string, length?: number): Buffer
}

/** Makes the box from the key ring: the first key encrypts, all decrypt. */
export function createSecretBox(options: { fernetKeys: readonly string[]; appSecret: string }): SecretBox {
  const [first, ...others] = options.fernetKeys.map((text, index) => {
    const key = parseFernetKey(text)
    if (!key) throw new ProgrammingError(`Key ${index + 1} of the ring is no Fernet key`)
    return key
  })
  if (!first) throw new ProgrammingError('The key ring is empty')
  const ring = [first, ...others]
  const bound = ring.map(({ signing, encryption }) => deriveBoundKey(Buffer.concat([signing, encryption])))

  function find(token: string): { content: Buffer; seconds: number } {
    for (const key of ring) {
      const found = openFernet(key, token)
      if (found) return found
    }
    throw new DecryptError()
  }

  return {
    seal: (text) => sealFernet(first, Buffer.from(text)),
    open: (token) => find(token).content.toString(),
    rotate(token) {
      const { content, seconds } = find(token)
      return sealFernet(first, content, seconds)
    },
    sealBound: (text, binding) => sealBoundText(bound[0]!, text, binding),
    openBound(token, binding) {
      for (const key of bound) {
        const text = openBoundText(key, token, binding)
        if (text !== undefined) return text
      }
      throw new DecryptError()
    },
    derive: (purpose, length = 32) => Buffer.from(hkdfSync('sha256', options.appSecret, '', purpose, length)),
  }
}
