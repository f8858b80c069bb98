import { Sha256 } from '../files/sha256.ts'

/** What is to be solved: the number from 0 to `maxnumber` whose hash behind the salt is `challenge`. */
export interface PowTask {
  readonly type: 'pow'
  readonly algorithm: string
  readonly challenge: string
  readonly maxnumber: number
  readonly salt: string
  readonly signature: string
}

/** How much was tried, then the number, or none where none fits. */
export type PowMessage = { readonly share: number } | { readonly number: number | undefined }

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<PowTask>) => void) | null
  postMessage(message: PowMessage): void
}
const between = 5_000
const letters = new TextEncoder()

scope.onmessage = ({ data: { challenge, maxnumber, salt } }) => {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (number % between === 0) scope.postMessage({ share: number / Math.max(1, maxnumber) })
    const hash = new Sha256()
    hash.update(letters.encode(`${salt}${number}`))
    if (hash.digest() === challenge) return scope.postMessage({ number })
  }
  scope.postMessage({ number: undefined })
}
