import { createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Knex } from 'knex'
import { ExpiringMap, type Bus, type TenantResolver } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import type { AiKey, AiKeys } from '../contract.ts'
import { hearWords } from '../hear-words.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { ApiKeyAddressError, ApiKeyExpiredError, ApiKeyInvalidError } from '../errors.ts'
import { KeyRow, SecretRow } from './key-model.ts'
import { readKey } from './key-text.ts'
import type { LastUses } from './last-uses.ts'
import type { Peppers } from './peppers.ts'

const channel = 'ai_ledger.keys'
const keptMs = 5_000
/** Within this time every word of a key’s quotas has been heard, also where the hosts’ clocks differ. */
const youngMs = 60_000
const unknownKeptMs = 1_000
const keptAtMost = 50_000
/** In characters; longer metadata is no tag. */
const longestTag = 130

interface KnownSecret {
  readonly hash: Buffer
  readonly pepper: KeyObject
  readonly notAfter: number
}

/** What is kept of a key; undefined secrets are of one that opens nothing. */
interface KnownKey {
  readonly key: AiKey | undefined
  readonly expiresAt: number
  readonly secrets: readonly KnownSecret[]
  readonly isAllowed: (ip: string) => boolean
}

/** What checking keys stands on. */
interface AuthenticatorParts {
  readonly db: Knex
  readonly bus: Bus
  /** Those that came with a key are to be known before the key is. */
  readonly table: Pick<QuotaTable, 'forget'>
  readonly peppers: Peppers
  readonly uses: Pick<LastUses, 'note'>
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly users: Pick<UserDirectory, 'find'>
}

/** Stands in for the secrets of a key that is not there, so that it takes as long. */
const nobody: KnownSecret = {
  ...{ hash: randomBytes(32), notAfter: Infinity },
  pepper: createSecretKey(randomBytes(32)),
}

/** Tells whose a key is. What it knows of keys lasts 5 seconds at most, and ends when they, their user or their tenant change. */
export class KeyAuthenticator implements AiKeys {
  readonly #parts: AuthenticatorParts
  readonly #known = new ExpiringMap<string, KnownKey>(keptAtMost)
  /** Grows with each change: what was read before one is not kept after it. */
  #changes = 0

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts
  }

  async authenticate(text: string, ip: string): Promise<AiKey> {
    const parts = readKey(text)
    if (!parts) throw new ApiKeyInvalidError()
    const { key, secrets, expiresAt, isAllowed } = this.#known.get(parts.id) ?? (await this.#load(parts.id))
    const now = Date.now()
    const isRight = this.#matches(parts.secret, secrets, now)
    if (!key || !isRight) throw new ApiKeyInvalidError()
    if (expiresAt <= now) throw new ApiKeyExpiredError()
    if (!isAllowed(ip)) throw new ApiKeyAddressError()
    this.#parts.uses.note(key, ip)
    return key
  }

  /** Hears other hosts until disposed. */
  listen(): Disposable {
    return hearWords(this.#parts.bus, channel, (id) => this.forgetKeys(typeof id === 'string' ? [id] : 'all'))
  }

  /** A key was changed on this host. */
  async wrote(id: string): Promise<void> {
    this.forgetKeys([id])
    await this.#parts.bus.publish(channel, id)
  }

  /** These keys changed, or with `all` any. */
  forgetKeys(ids: readonly string[] | 'all'): void {
    this.#changes += 1
    if (ids === 'all') this.#known.clear()
    else for (const id of ids) this.#known.delete(id)
  }

  /** Users (`<tenant>:<user>`) or tenants (`<tenant>`) changed. */
  forgetOwners(subjects: readonly string[] | 'all'): void {
    if (subjects === 'all') return this.forgetKeys('all')
    this.#changes += 1
    const changed = new Set(subjects)
    this.#known.deleteWhere(
      ({ key }) =>
        key !== undefined && (changed.has(String(key.tenantId)) || changed.has(`${key.tenantId}:${key.userId}`)),
    )
  }

  /** Every secret is compared, whichever fits. */
  #matches(secret: string, secrets: readonly KnownSecret[], now: number): boolean {
    let isRight = false
    for (const { hash, pepper, notAfter } of secrets.length > 0 ? secrets : [nobody]) {
      const given = this.#parts.peppers.hashUnder(pepper, secret)
      if (timingSafeEqual(given, hash) && notAfter > now) isRight = true
    }
    return isRight
  }

  async #load(id: string): Promise<KnownKey> {
    const changes = this.#changes
    const known = await this.#read(id)
    if (this.#changes === changes) this.#known.set(id, known, known.key ? keptMs : unknownKeptMs)
    return known
  }

  async #read(id: string): Promise<KnownKey> {
    const { db, peppers, table } = this.#parts
    const [row, rows] = await Promise.all([
      KeyRow.acrossTenants(db).findById(id),
      SecretRow.acrossTenants(db).where({ key_id: id }),
    ])
    if (row && Date.now() - row.createdAt.getTime() < youngMs) table.forget()
    const isOpen = row?.status === 'active' && (await this.#isOwned(row))
    const secrets: KnownSecret[] = []
    for (const { hash, pepperVersion, notAfter } of isOpen ? rows : []) {
      const pepper = await peppers.get(pepperVersion)
      secrets.push({ hash: Buffer.from(hash, 'base64url'), pepper, notAfter: notAfter?.getTime() ?? Infinity })
    }
    return {
      key: isOpen ? keyOf(row) : undefined,
      expiresAt: row?.expiresAt?.getTime() ?? Infinity,
      ...{ secrets, isAllowed: compileAddresses(row?.ipAllow ?? []) },
    }
  }

  /** Whether who it belongs to is there and active. */
  async #isOwned({ tenantId, userId }: KeyRow): Promise<boolean> {
    const { tenants, users } = this.#parts
    if (tenantId !== 0 && (await tenants.byId(tenantId))?.status !== 'active') return false
    return userId === null || (await users.find(tenantId, userId))?.status === 'active'
  }
}

function keyOf({ id, tenantId, userId, scopes, models, agents, tools, metadata }: KeyRow): AiKey {
  const tags = Object.entries(metadata)
    .map(([name, value]) => `${name}:${value}`)
    .filter((tag) => tag.length <= longestTag)
  return { id, tenantId, userId: userId ?? undefined, scopes, models, agents, tools, tags }
}

function compileAddresses(entries: readonly string[]): (ip: string) => boolean {
  if (entries.length === 0) return () => true
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const isSix = isIP(address) === 6
    list.addSubnet(address, bits === undefined ? (isSix ? 128 : 32) : Number(bits), isSix ? 'ipv6' : 'ipv4')
  }
  return (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
