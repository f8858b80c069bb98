import type { Logger } from '#kernel'
import type { Claim } from './claims.ts'
import { Demand } from './demand.ts'
import { limitOf, type LeasedClaim, type SettledBucket } from './hold-store.ts'
import type { LeaseStanding, LeaseStore } from './lease-store.ts'

/** Unused for so long, a lease goes back. */
const idleMs = 2_000
/** What was used is counted at least so often. */
const countMs = 5_000

/** What this host has of a bucket in advance. */
interface Lease {
  readonly id: string
  readonly claim: Claim
  readonly limit: bigint
  /** What this host may still let in. */
  free: bigint
  /** What `free` was when it was last filled up. */
  size: bigint
  /** What the bucket has left, this lease's part included. */
  rest: bigint
  /** Let in, and not yet known to be written. */
  unwritten: bigint
  /** Let in since its renewal began; undefined while none is under way. */
  meanwhile: bigint | undefined
  usedAt: number
  countedAt: number
}

/** What leases work with. */
interface LeaseParts {
  readonly store: Pick<LeaseStore, 'take' | 'renew' | 'close' | 'closeOf'>
  readonly log: Logger
  /** Hears of buckets that changed. */
  readonly settled: (buckets: readonly SettledBucket[]) => void
}

/**
 * Leases of busy buckets: this host holds a part of what remains and lets calls in from it, without the row of the bucket that all calls
 * would wait for. What is leased counts as held, so that nothing is ever over; any host may end any lease when it needs the room.
 */
export class Leases implements AsyncDisposable {
  readonly #parts: LeaseParts
  readonly #demand = new Demand()
  readonly #leases = new Map<string, Lease>()
  readonly #taking = new Set<string>()
  #isClosing = false

  constructor(parts: LeaseParts) {
    this.#parts = parts
  }

  /** Which of a call's claims come from a lease: those name it, and its part is spent. */
  spend(claims: readonly Claim[]): readonly LeasedClaim[] {
    return claims.map((claim) => {
      if (claim.quota.metric === 'concurrency') return claim
      const key = keyOf(claim)
      const isBusy = this.#demand.note(key, claim.amount)
      const lease = this.#leases.get(key)
      if (!lease) {
        if (isBusy) void this.#take(key, claim)
        return claim
      }
      if (lease.limit !== limitOf(claim.quota)) void this.#end([lease])
      else if (lease.free >= claim.amount) return this.#spendOf(lease, claim)
      else void this.#renew(lease)
      return claim
    })
  }

  /** What a lease's bucket has left, as far as this host knows. */
  restOf({ leaseId, ...claim }: LeasedClaim): bigint | undefined {
    const lease = leaseId === undefined ? undefined : this.#leases.get(keyOf(claim))
    return lease && (lease.rest < 0n ? 0n : lease.rest)
  }

  /** The call is written down. */
  written(claims: readonly LeasedClaim[]): void {
    for (const { lease, amount } of this.#leasesOf(claims)) lease.unwritten -= amount
  }

  /** The call was not let in. */
  giveBack(claims: readonly LeasedClaim[]): void {
    for (const { lease, amount } of this.#leasesOf(claims)) {
      lease.unwritten -= amount
      lease.free += amount
    }
  }

  /** Whether the call is written down is not known: where it is, it holds of the bucket itself. */
  async doubt(claims: readonly LeasedClaim[]): Promise<void> {
    await this.#end(this.#leasesOf(claims).map(({ lease }) => lease))
  }

  /** Somebody ended one of them: those that are still there go back too, since nobody says which it was. */
  async lost(claims: readonly LeasedClaim[]): Promise<void> {
    await this.#end(this.#leasesOf(claims).map(({ lease }) => lease))
  }

  /** Ends what all hosts have of buckets that are too full for a call. */
  async free(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) {
      this.#leases.delete(keyOf(claim))
      this.#parts.settled(await this.#parts.store.closeOf(claim))
    }
  }

  /** Counts what was used, and gives back what is not used any more; each second. */
  async tend(): Promise<void> {
    const now = performance.now()
    this.#demand.sweep()
    const isIdle = ({ usedAt, claim: { resetsAt } }: Lease): boolean =>
      now - usedAt > idleMs || (resetsAt !== undefined && resetsAt.getTime() < Date.now())
    const [idle = [], busy = []] = [true, false].map((wanted) =>
      [...this.#leases.values()].filter((lease) => isIdle(lease) === wanted),
    )
    await this.#end(idle)
    for (const lease of busy) if (now - lease.countedAt > countMs) await this.#renew(lease)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#end([...this.#leases.values()])
  }

  #spendOf(lease: Lease, claim: Claim): LeasedClaim {
    lease.free -= claim.amount
    lease.rest -= claim.amount
    lease.unwritten += claim.amount
    if (lease.meanwhile !== undefined) lease.meanwhile += claim.amount
    lease.usedAt = performance.now()
    if (lease.free < lease.size / 2n) void this.#renew(lease)
    return { ...claim, leaseId: lease.id }
  }

  async #take(key: string, claim: Claim): Promise<void> {
    if (this.#taking.has(key) || this.#isClosing) return
    this.#taking.add(key)
    try {
      const taken = await this.#parts.store.take(claim, this.#demand.typical(key))
      if (!taken) return this.#demand.cool(key)
      const { id, free } = taken
      const now = performance.now()
      const lease: Lease = {
        ...{ id, claim, limit: limitOf(claim.quota), free, size: free, rest: restAfter(claim, taken) },
        ...{ unwritten: 0n, meanwhile: undefined, usedAt: now, countedAt: now },
      }
      if (this.#isClosing) await this.#end([lease])
      else this.#leases.set(key, lease)
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'no lease of a quota was taken')
    } finally {
      this.#taking.delete(key)
    }
  }

  async #renew(lease: Lease): Promise<void> {
    if (lease.meanwhile !== undefined) return
    lease.meanwhile = 0n
    const { claim, unwritten } = lease
    const key = keyOf(claim)
    try {
      const standing = await this.#parts.store.renew(lease.id, claim, this.#demand.typical(key))
      if (!standing) return this.#drop(lease)
      // What was written while it was renewed may be counted twice until the next time, and never not at all.
      const free = standing.free - unwritten - lease.meanwhile
      Object.assign(lease, { free, size: free, rest: restAfter(claim, standing), countedAt: performance.now() })
      this.#parts.settled([settledOf(claim, standing)])
      if (free < this.#demand.typical(key)) {
        this.#demand.cool(key)
        await this.#end([lease])
      }
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a lease of a quota was not renewed')
    } finally {
      lease.meanwhile = undefined
    }
  }

  async #end(leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) this.#drop(lease)
    try {
      this.#parts.settled(await this.#parts.store.close(leases.map(({ id }) => id)))
    } catch (error) {
      // Nobody renews them: they expire.
      this.#parts.log.debug({ err: error }, 'leases of quotas were not given back')
    }
  }

  #drop(lease: Lease): void {
    const key = keyOf(lease.claim)
    if (this.#leases.get(key) === lease) this.#leases.delete(key)
  }

  #leasesOf(claims: readonly LeasedClaim[]): readonly { readonly lease: Lease; readonly amount: bigint }[] {
    return claims.flatMap((claim) => {
      const lease = claim.leaseId === undefined ? undefined : this.#leases.get(keyOf(claim))
      return lease && lease.id === claim.leaseId ? [{ lease, amount: claim.amount }] : []
    })
  }
}

function keyOf({ quota, bucket, windowStart }: Pick<Claim, 'quota' | 'bucket' | 'windowStart'>): string {
  return `${quota.id} ${bucket} ${windowStart.getTime()}`
}

function restAfter({ quota }: Claim, { free, used, held }: LeaseStanding): bigint {
  return quota.limit - used - held + free
}

function settledOf({ quota, bucket, windowStart }: Claim, { used, held }: LeaseStanding): SettledBucket {
  return { quota_id: quota.id, bucket, window_start: windowStart, used: String(used), held: String(held) }
}
