import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Knex } from 'knex'
import { ipLimitKey } from '#kernel'
import { raw } from 'objection'
import type { ConfigReader } from '../../config/contract.ts'
import { AccountLockedError } from '../errors.ts'
import { LoginFailure } from './models.ts'

// Failures spread over networks slow everybody down but lock nobody out, or strangers could lock a victim's account.
const spreadFactor = 10
const spreadDelayMilliseconds = 1000

/** Whose failures are counted together. */
interface Attempt {
  readonly tenantId: number
  readonly account: string
  readonly ip: string
}

/** How an account stands that is not locked. */
export interface Standing {
  /** Failures from this network that count so far. */
  readonly failures: number
  /** Whether so many failed from all networks together that somebody seems to try from everywhere. */
  readonly isSpread: boolean
}

/** Locks an account for the network from which too many sign-ins failed; accounts that do not exist count the same. */
export class Lockout {
  readonly #db: Knex
  readonly #config: ConfigReader
  readonly #key: Buffer

  constructor(db: Knex, config: ConfigReader, key: Buffer) {
    this.#db = db
    this.#config = config
    this.#key = key
  }

  /**
   * How the account stands; throws 429/4292 while it is locked for this network, or with `atMost` for every network once so
   * many failed in all. An account that is tried from everywhere is answered late.
   */
  async requireOpen(attempt: Attempt, { atMost = Infinity } = {}): Promise<Standing> {
    const { attempts, seconds } = await this.#rules(attempt.tenantId)
    const { account, network } = this.#names(attempt)
    const since = new Date(Date.now() - seconds * 1000)
    const recent = () =>
      LoginFailure.of(attempt.tenantId, this.#db).where('account', account).where('last_failed_at', '>', since)
    // Each row is a failure at least: so many decide, and whoever fails from a great many networks slows nobody down.
    const decisive = Math.max(attempts * spreadFactor, Number.isFinite(atMost) ? atMost : 0)
    const [here, rows] = await Promise.all([recent().findOne({ network }), recent().limit(decisive)])
    const left = Math.ceil(((here?.lockedUntil?.getTime() ?? 0) - Date.now()) / 1000)
    if (left > 0) throw locked(left)
    const total = rows.reduce((sum, { failures }) => sum + failures, 0)
    if (total >= atMost) throw locked(seconds)
    const isSpread = total >= attempts * spreadFactor
    if (isSpread) await wait(spreadDelayMilliseconds)
    return { failures: here?.failures ?? 0, isSpread }
  }

  /** Counts a failure; one statement, so that attempts at once are all counted. */
  async recordFailure(attempt: Attempt): Promise<void> {
    const { attempts, seconds } = await this.#rules(attempt.tenantId)
    const now = new Date()
    const [end, old] = [1000, -1000].map((unit) => new Date(now.getTime() + seconds * unit))
    const locked = attempts <= 1 ? (end ?? null) : null
    // A row whose lock has ended, or that is older than a lock lasts, begins again.
    const isStale = '(f.locked_until is not null and f.locked_until <= ?) or f.last_failed_at <= ?'
    const failures = `case when ${isStale} then 1 else f.failures + 1 end`
    await LoginFailure.of(attempt.tenantId, this.#db)
      .insert({ ...this.#names(attempt), failures: 1, lastFailedAt: now, lockedUntil: locked })
      .onConflict(['tenant_id', 'account', 'network'])
      .merge({
        failures: raw(failures.replaceAll('f.', 'auth_login_failures.'), [now, old]),
        lastFailedAt: now,
        lockedUntil: raw(
          `case when ${failures} >= ? then ?::timestamptz end`.replaceAll('f.', 'auth_login_failures.'),
          [now, old, attempts, end],
        ),
      })
  }

  /** A sign-in that worked ends the count for its network. */
  async clear(attempt: Attempt): Promise<void> {
    await LoginFailure.of(attempt.tenantId, this.#db).delete().where(this.#names(attempt))
  }

  /** Deletes counts that are older than the longest lock. */
  async sweep(): Promise<void> {
    const yesterday = new Date(Date.now() - 86_400_000)
    await LoginFailure.acrossTenants(this.#db).delete().where('last_failed_at', '<', yesterday)
  }

  #names({ tenantId, account, ip }: Attempt): { account: string; network: string } {
    const hash = createHmac('sha256', this.#key).update(`${tenantId}:${account}`).digest('base64url')
    return { account: hash, network: ipLimitKey(ip) }
  }

  async #rules(tenantId: number): Promise<{ attempts: number; seconds: number }> {
    const [attempts, minutes] = await Promise.all([
      this.#config.get('login_max_attempts', tenantId, 5),
      this.#config.get('login_lockout_minutes', tenantId, 15),
    ])
    return { attempts, seconds: minutes * 60 }
  }
}

function locked(seconds: number) {
  return new AccountLockedError({ details: { retry_after: seconds }, headers: { 'retry-after': String(seconds) } })
}
