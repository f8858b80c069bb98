import { hkdfSync } from 'node:crypto'
import { ProgrammingError } from '../programming-errors.ts'
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
    derive: (purpose, length = 32) => Buffer.from(hkdfSync('sha256', options.appSecret, '', purpose, length)),
  }
}
