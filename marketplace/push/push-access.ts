import { timingSafeEqual } from 'node:crypto'
import type { Provenance } from '../index-format/plugin-file.ts'
import { hashOf, readAccess } from './access-file.ts'
import { CiTokens } from './ci-tokens.ts'

/** Who pushes: for which publisher, and what is known of the run that does. */
export interface Pusher {
  readonly publisher: string
  readonly provenance?: Provenance
}

/** Tells who pushes, by the file that says who may: it is read anew each time, so that an access that is removed ends at once. */
export class PushAccess {
  readonly #file: string
  readonly #ci = new CiTokens()

  constructor(file: string) {
    this.#file = file
  }

  /** Who has this token, or nobody. Throws a CiTokenError for an identity token that is not believed. */
  async find(token: string): Promise<Pusher | undefined> {
    const { tokens, ci } = await readAccess(this.#file)
    if (isIdentityToken(token)) return this.#ci.prove(token, ci)
    const hash = Buffer.from(hashOf(token))
    const found = tokens.find(({ sha256 }) => timingSafeEqual(Buffer.from(sha256), hash))
    if (!found || Date.parse(found.expires) <= Date.now()) return undefined
    return { publisher: found.publisher }
  }
}

/** Three parts with dots between: RFC 7519. */
function isIdentityToken(token: string): boolean {
  return token.split('.').length === 3
}
