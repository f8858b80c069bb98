import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { HashQueue } from './hash-queue.ts'

const memory = 19_456
const passes = 2
const parallelism = 1
const derive = promisify(argon2)
const format = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/
// Compared with when there is no such account, so that an unknown one costs what a wrong password does.
const nobody = phc(memory, passes, parallelism, Buffer.alloc(16, 1), Buffer.alloc(32))

/** The outcome of a comparison; `outdated` asks for a new hash of the same password. */
interface Comparison {
  readonly fits: boolean
  readonly outdated: boolean
}

/** Hashes passwords with argon2id and compares them, as texts of the PHC form. */
export class PasswordHasher {
  readonly #queue = new HashQueue()

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16)
    const hash = await this.#derive(password, salt, { memory, passes, parallelism, tagLength: 32 })
    return phc(memory, passes, parallelism, salt, hash)
  }

  /** Compares with a hash, or with nobody's at the same cost. */
  async compare(password: string, stored: string | null): Promise<Comparison> {
    const parts = format.exec(stored ?? nobody) ?? format.exec(nobody)
    const [m, t, p] = [Number(parts?.[1]), Number(parts?.[2]), Number(parts?.[3])]
    const expected = Buffer.from(parts?.[5] ?? '', 'base64')
    const salt = Buffer.from(parts?.[4] ?? '', 'base64')
    const options = { memory: m, passes: t, parallelism: p, tagLength: expected.length }
    const isEqual = timingSafeEqual(await this.#derive(password, salt, options), expected)
    const fits = isEqual && stored !== null
    return { fits, outdated: fits && (m !== memory || t !== passes || p !== parallelism) }
  }

  #derive(
    password: string,
    nonce: Buffer,
    options: { memory: number; passes: number; parallelism: number; tagLength: number },
  ): Promise<Buffer> {
    // Two ways to type one character give one password.
    const message = password.normalize('NFKC')
    return this.#queue.run(() => derive('argon2id', { message, nonce, ...options }))
  }
}

function phc(m: number, t: number, p: number, salt: Buffer, hash: Buffer): string {
  const [first, second] = [salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${first}$${second}`
}
