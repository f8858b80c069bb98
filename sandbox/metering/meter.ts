import { Account, type Counts } from './account.ts'
import { CallMeter, handlerName } from './call-meter.ts'
import type { AccountKind, UsageEntry } from './metering.ts'
import type { CallTarget } from '../wire/call.ts'

type PluginAccounts = Readonly<Record<AccountKind, Map<string, Account>>>

/** Longer than any call: no account that is let go of is still counted on. */
const idleMilliseconds = 3_600_000

/** Counts what plugins use: by tenant, by handler and by granted host, and how often each brought a sandbox host down. */
export class Meter {
  readonly #plugins = new Map<string, PluginAccounts>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Begins to count for a call. */
  open(plugin: string, tenantId: number, target: CallTarget): CallMeter {
    const accounts = this.#accountsOf(plugin)
    const tenant = open(accounts.tenant, String(tenantId))
    tenant.openedAt = this.#now()
    return new CallMeter(tenant, open(accounts.handler, handlerName(target)), (grant) => open(accounts.host, grant))
  }

  recordKill(plugin: string, reason: string): void {
    open(this.#accountsOf(plugin).kill, reason).add('kills', 1)
  }

  /** The plugins that anything was counted of. */
  get plugins(): readonly string[] {
    return [...this.#plugins.keys()]
  }

  /** Everything since the process started; of a tenant since it was last idle for an hour. */
  totals(): readonly UsageEntry[] {
    return this.#read((account) => account.total())
  }

  /** What was added since the last time. Tenants that did not call for an hour are let go of: there are many more of them than of anything else. */
  takeChanges(): readonly UsageEntry[] {
    const changes = this.#read((account) => account.takeChange())
    const idleSince = this.#now() - idleMilliseconds
    for (const { tenant } of this.#plugins.values()) {
      for (const [name, { openedAt }] of tenant) if (openedAt < idleSince) tenant.delete(name)
    }
    return changes
  }

  /** Forgets a plugin that is no longer installed, so that the accounts stay as few as the plugins. */
  forget(plugin: string): void {
    this.#plugins.delete(plugin)
  }

  /** Forgets a tenant that is gone. */
  forgetTenant(tenantId: number): void {
    for (const { tenant } of this.#plugins.values()) tenant.delete(String(tenantId))
  }

  #read(read: (account: Account) => Counts | undefined): readonly UsageEntry[] {
    const entries: UsageEntry[] = []
    for (const [plugin, accounts] of this.#plugins) {
      for (const [kind, named] of Object.entries(accounts) as [AccountKind, Map<string, Account>][]) {
        for (const [name, account] of named) {
          const counts = read(account)
          if (counts) entries.push({ plugin, kind, name, ...counts })
        }
      }
    }
    return entries
  }

  #accountsOf(plugin: string): PluginAccounts {
    const known = this.#plugins.get(plugin)
    if (known) return known
    const accounts: PluginAccounts = { tenant: new Map(), handler: new Map(), host: new Map(), kill: new Map() }
    this.#plugins.set(plugin, accounts)
    return accounts
  }
}

function open(accounts: Map<string, Account>, name: string): Account {
  const known = accounts.get(name)
  if (known) return known
  const account = new Account()
  accounts.set(name, account)
  return account
}
