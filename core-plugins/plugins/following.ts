import { endsWithin, kernelStarted, OutageLog, pluginEnabled, type Scope, tenantsDeleted } from '#kernel'
import { sweepBackups } from './backups/sweep-backups.ts'
import { configChanged } from '../config/contract.ts'
import { pluginsChanged, pluginsInstalled, pluginsOperationEnded } from './contract.ts'
import type { PluginsNeeds, VerbNeeds } from './needs.ts'
import type { Operations } from './operations/operations.ts'
import { sweepOperations } from './operations/sweep-operations.ts'
import { ArchiveMover } from './releases/archive-mover.ts'
import { sweepHost } from './releases/sweep-host.ts'
import { markOrphans } from './repairs/mark-orphans.ts'
import type { LicenceSlot } from './running/licence-slot.ts'
import { coalesce } from './shared/coalesce.ts'
import { eraseTenant } from './tenants/erase-tenant.ts'

/** Lost words are made up for so often. */
const tickMilliseconds = 5_000
/** A host that lives says so. */
const beatMilliseconds = 2_500
/** What a host could not start is looked at so often; most times it is not due. */
const retryMilliseconds = 1_000
const sweepMilliseconds = 60 * 60 * 1000
/** A storage that was away is tried again so often. */
const archiveMilliseconds = 5 * 60 * 1000
/** A start waits so long for plugins; those that take longer come later. */
const startPatienceMilliseconds = 2_000

/** What follows what is wanted. */
export interface Followed {
  readonly parts: VerbNeeds
  readonly operations: Operations
  readonly licences: LicenceSlot
}

/** Follows what is wanted: from the start, on the bus's word, and on a timer in case a word was lost. */
export function followWanted(scope: Scope, needs: PluginsNeeds, { parts, operations, licences }: Followed): void {
  const { log } = scope
  const { converger, hosts } = parts
  const isAlone = scope.env.redisUrl === undefined
  const outage = new OutageLog(log, 'this host could not follow what is wanted of plugins')
  const converge = () => outage.watch(() => converger.converge())
  scope.on(pluginsChanged, () => void converge(), 'every-host')
  scope.onChanges('plugins.wanted', () => void converge())
  scope.use(licences.onChange(() => void outage.watch(() => converger.reread())))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(parts, tenantId))
  // Only now is this plugin enabled itself, so that a stop ends the plugins it runs before it.
  scope.on(pluginEnabled, async ({ name }) => {
    if (name !== scope.plugin) return
    if (isAlone) await hosts.forgetOthers()
    await endsWithin(converge(), startPatienceMilliseconds)
  })
  // What an operation that came to nothing left on any host goes with its end.
  const sweep = coalesce(
    () => sweepHost(parts, { isAlone }),
    (error) => log.warn({ err: error }, 'what an operation left could not be tidied yet'),
  )
  scope.on(pluginsOperationEnded, sweep, 'every-host')
  scope.onChanges('plugins.operations', sweep)
  // Whoever calls an operation off, its package is not waited for any longer.
  const stopEnded = () => void outage.watch(() => operations.stopEnded())
  scope.on(pluginsOperationEnded, stopEnded, 'every-host')
  scope.onChanges('plugins.operations', stopEnded)
  // What a dead host left is no reason for a start to wait.
  scope.on(kernelStarted, () => {
    void sweepHost(parts, { isAlone })
      .then(() => operations.recover({ all: isAlone }))
      .then(() => markOrphans(parts))
      .catch((error: unknown) => log.error({ err: error }, 'what a dead host left could not be tidied'))
  })
  // Apart from the rest, which may wait for a plugin to end; and the lease also while the database is away.
  scope.every(beatMilliseconds, () => parts.staging.renew())
  scope.every(beatMilliseconds, () => hosts.beat())
  scope.every(retryMilliseconds, () => converger.retry())
  scope.every(tickMilliseconds, async () => {
    await converge()
    await operations.stopEnded()
    await operations.recover()
  })
  scope.every(sweepMilliseconds, async () => {
    await sweepHost(parts, { isAlone })
    await markOrphans(parts)
    await sweepBackups(parts)
    await sweepOperations(parts.db, needs.settings)
  })
}

/** Packages go to the platform's storage as soon as there is a package or a shared storage, and later where that failed. */
export function followArchives(scope: Scope, { storage, volumes }: PluginsNeeds): void {
  const { db, locks, log } = scope
  const mover = scope.use(new ArchiveMover({ db, locks, log, storage, volumes }))
  scope.on(pluginsInstalled, () => void mover.wake())
  scope.on(configChanged, ({ group }) => void (group === 'platform_storage' && mover.wake()))
  scope.every(archiveMilliseconds, () => void mover.wake())
}
