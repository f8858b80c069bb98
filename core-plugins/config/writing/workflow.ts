import type { Knex } from 'knex'
import { lockUntilCommit, type Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { Bonds } from './bonds.ts'
import { isSensitive, nameOf, type CatalogueGroup } from '../catalogue/catalogue.ts'
import type { ChangeRequests } from './change-requests.ts'
import { configChangeRequested, type WriteOptions, type WriteResult } from '../contract.ts'
import { effectiveValues, inheritedValue, type Levels } from '../reading/effective.ts'
import { ChangeSupersededError, ConfigError, ConfigValueInvalidError } from '../errors.ts'
import type { FileValues } from '../extensions/files.ts'
import type { Guards } from '../extensions/guards.ts'
import { shorten, type GroupViews } from '../reading/group-view.ts'
import { SystemConfigValue, type ChangeRequest } from '../models.ts'
import type { Consequence, Outbox } from '../outbox/outbox.ts'
import { planChanges, type Change, type CheckedWrite } from './plan-write.ts'
import type { ConfigParts } from '../reading/reader.ts'
import { readValues } from '../reading/stored-values.ts'
import type { WantedWrite, WriteRules } from './write-rules.ts'

/** What the way of a write is made of. */
interface WorkflowParts {
  readonly scope: Scope
  readonly config: ConfigParts
  readonly views: GroupViews
  readonly rules: WriteRules
  readonly guards: Guards
  readonly bonds: Bonds
  readonly files: FileValues
  readonly requests: ChangeRequests
  readonly outbox: Outbox
  readonly audit: Audit
}

/** A request that the writer approves with the write. */
interface Approval {
  readonly request: ChangeRequest
  readonly reason: string
}

/** What became of a write's changes. */
interface Outcome {
  readonly applied: readonly Change[]
  readonly held: readonly Change[]
  readonly request: ChangeRequest | undefined
  readonly follows: readonly Consequence[]
  readonly isSuperseded: boolean
}

const nothing: Outcome = { applied: [], held: [], request: undefined, follows: [], isSuperseded: false }

/** The way of every write: check, compare, apply or keep for approval, and then what follows from it. */
export class Workflow {
  readonly #parts: WorkflowParts

  constructor(parts: WorkflowParts) {
    this.#parts = parts
  }

  /** Writes values of a group; those of a request, approved by the writer, end the request. */
  async write(wanted: WantedWrite, approval?: Approval): Promise<WriteResult> {
    const { views, rules } = this.#parts
    const write = await rules.check(wanted, await views.levels(wanted.tenantId))
    // Before the transaction: a question inside it would wait for a second connection.
    const ids = await this.#parts.config.records.ids()
    const outcome = await this.#parts.scope.db.transaction((trx) => this.#apply(trx, ids, wanted, write, approval))
    await this.#follow(wanted, outcome)
    if (outcome.isSuperseded) throw new ChangeSupersededError()
    return this.#present(wanted, outcome)
  }

  async #apply(
    trx: Knex.Transaction,
    ids: Levels['ids'],
    wanted: WantedWrite,
    write: CheckedWrite,
    approval: Approval | undefined,
  ): Promise<Outcome> {
    const { config, views, requests } = this.#parts
    const { group, tenantId, options } = wanted
    await lockUntilCommit(trx, `config.values:${tenantId}`)
    const tenant = tenantId > 0 ? await readValues(trx, tenantId) : undefined
    const levels = { ids, platform: await readValues(trx, 0), tenant }
    options.requireMatch?.(views.describe(group, tenantId, levels, options).etag)
    const changes = planChanges(write, levels, config.codec)
    this.#requireBonds(wanted, write, changes, levels)
    if (approval) {
      const open = await requests.lock(trx, approval.request)
      if (!requests.isCurrent(open, group.items, levels)) {
        await requests.decide(trx, open, { state: 'superseded', decidedBy: options.actor?.userId ?? null })
        return { ...nothing, isSuperseded: true }
      }
    }
    return this.#settle(trx, wanted, changes, levels, approval)
  }

  /** Divides changes into those that hold from now on and those that wait. */
  async #settle(
    trx: Knex.Transaction,
    { group, tenantId, options }: WantedWrite,
    changes: readonly Change[],
    levels: Levels,
    approval: Approval | undefined,
  ): Promise<Outcome> {
    const { rules, requests, outbox } = this.#parts
    const { actor } = options
    const userId = actor?.userId ?? null
    const keys = changes.map(({ item }) => item.key)
    const mode = rules.approvalOf(actor, levels)
    const decision = { state: 'approved', decidedBy: userId, reason: approval?.reason } as const
    if (approval) await requests.decide(trx, approval.request, decision)
    else if (actor?.scope === 'tenant') await requests.refuseOpen(trx, tenantId, keys)
    else if (tenantId > 0) await requests.supersede(trx, tenantId, keys)
    const waits = ({ item }: Change): boolean => mode === 'all' || (mode === 'sensitive' && isSensitive(item))
    // The place that a secret goes to waits with it: the one that holds meanwhile was given for another.
    const isWhole = changes.some((change) => waits(change) && this.#parts.bonds.has(change.item))
    const isHeld = (change: Change): boolean => isWhole || waits(change)
    const [applied, held] = [changes.filter((change) => !isHeld(change)), changes.filter(isHeld)]
    await this.#pass(trx, { group, tenantId, options }, applied, levels)
    for (const change of applied) await this.#store(trx, tenantId, change, levels.ids, userId)
    if (applied.length > 0) await this.#record(trx, 'config.changed', group, tenantId, applied, options)
    if (held.length > 0) await this.#record(trx, 'config.change_requested', group, tenantId, held, options)
    const occurrence = {
      tenantId,
      group: group.code,
      scope: group.declaration.scope,
      requestId: approval?.request.id ?? null,
    }
    const appliedKeys = applied.map(({ item }) => item.key)
    const hasFollows = applied.length > 0 || approval !== undefined
    return {
      applied,
      held,
      request: held.length > 0 ? await requests.hold(trx, tenantId, group.code, held, userId) : undefined,
      follows: hasFollows ? await outbox.add(trx, { ...occurrence, keys: appliedKeys }) : [],
      isSuperseded: false,
    }
  }

  #requireBonds(
    { group, options: { locale, keyPrefix = '' } }: WantedWrite,
    write: CheckedWrite,
    changes: readonly Change[],
    levels: Levels,
  ): void {
    const { bonds, config } = this.#parts
    const before = effectiveValues(group, levels, config.codec)
    const changed = changes.map(({ item, after }) => {
      return [item.key, after === undefined ? inheritedValue(item, levels, config.codec) : after] as const
    })
    const turn = { before, after: { ...before, ...Object.fromEntries(changed) } }
    const view = { locale, shorten: (key: string) => shorten(key, keyPrefix) }
    const errors = bonds.faultsOf(group, write, turn, view)
    if (errors.length > 0) throw new ConfigValueInvalidError({ errors })
  }

  async #pass(
    trx: Knex.Transaction,
    { group, tenantId, options }: Pick<WantedWrite, 'group' | 'tenantId' | 'options'>,
    applied: readonly Change[],
    levels: Levels,
  ): Promise<void> {
    const { guards, config } = this.#parts
    const keys = applied.map(({ item }) => item.key)
    if (!guards.isGuarded(keys)) return
    const before = effectiveValues(group, levels, config.codec)
    const change = { tenantId, group: group.code, keys, actor: options.actor, before }
    await guards.pass(change, trx)
  }

  async #store(
    trx: Knex.Transaction,
    tenantId: number,
    { item, after }: Change,
    ids: Levels['ids'],
    updatedBy: number | null,
  ): Promise<void> {
    const configId = ids.get(nameOf(item.scope, item.key))
    if (configId === undefined) throw new ConfigError({ fault: `${item.key} has no row` })
    await this.#parts.files.hold(trx, tenantId, item, after)
    if (after === undefined) {
      await SystemConfigValue.of(tenantId, trx).delete().where('config_id', configId)
      return
    }
    const value = this.#parts.config.codec.encode(item, after)
    await SystemConfigValue.of(tenantId, trx)
      .insert({ configId, value, updatedBy, updatedAt: new Date() })
      .onConflict(['config_id', 'tenant_id'])
      .merge()
  }

  async #record(
    trx: Knex.Transaction,
    action: string,
    { code }: CatalogueGroup,
    tenantId: number,
    changes: readonly Change[],
    { actor, traceId }: WriteOptions,
  ): Promise<void> {
    const { audit, config } = this.#parts
    const side = (pick: (change: Change) => unknown): object =>
      Object.fromEntries(
        changes.map((change) => [change.item.key, config.codec.mask(change.item, pick(change)) ?? null]),
      )
    const [before, after] = [side((change) => change.before), side((change) => change.after)]
    const entry = { tenantId, actor, action, target: `config:${code}`, before, after }
    await audit.record({ ...entry, ...(traceId !== undefined && { traceId }) }, trx)
  }

  /** The values hold already: what fails here is left to the queue and must not make the write look failed. */
  async #follow({ group, tenantId }: WantedWrite, { follows, held, request }: Outcome): Promise<void> {
    const { scope, outbox } = this.#parts
    try {
      await outbox.deliver(follows)
      const keys = held.map(({ item }) => item.key)
      if (!request) return
      await scope.emit(configChangeRequested, { tenantId, requestId: request.id, group: group.code, keys })
    } catch (error) {
      scope.log.warn({ err: error, group: group.code }, 'what follows a change of configuration waits for its next try')
    }
  }

  async #present(wanted: WantedWrite, { applied, held }: Outcome): Promise<WriteResult> {
    const { views } = this.#parts
    const { group, tenantId, values, options } = wanted
    const levels = await views.levels(tenantId)
    const { items, etag } = await views.show(group, tenantId, levels, options)
    const short = ({ item }: Change): string => shorten(item.key, options.keyPrefix ?? '')
    const updated = applied.filter(({ kind }) => kind === 'update').map(short)
    const reset = applied.filter(({ kind }) => kind === 'reset').map(short)
    const pending = held.map(short)
    const unchanged = Object.keys(values).filter((key) => !updated.includes(key) && !pending.includes(key))
    return { group: group.code, updated, unchanged, reset, pending, items, etag }
  }
}
