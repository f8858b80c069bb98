import { kernelStarted, type Scope } from '#kernel'
import { firstRunDemoSeeded } from '../../first-run/contract.ts'
import { pluginsInstalled, pluginsOperationEnded, pluginSourcesChanged } from '../contract.ts'
import type { PluginsNeeds } from '../shared/needs.ts'
import type { Parts } from '../running/parts.ts'
import type { PluginService } from '../service.ts'
import { trustRoutes } from '../trust/routes.ts'
import { PublisherService } from '../trust/service.ts'
import { browseRoutes } from './browse-routes.ts'
import { installRoutes } from './install-routes.ts'
import { Marketplace } from './marketplace.ts'
import { OfferFetcher } from './offer-fetcher.ts'
import type { MarketplaceStock } from './open-marketplace.ts'
import { RevocationWatch } from './revocation-watch.ts'
import { seedSampleIndex } from './seed-sample-index.ts'
import { SourceRefresher } from './source-refresher.ts'
import { sourceRoutes } from './source-routes.ts'
import { SourceService } from './source-service.ts'
import type { Updates } from './updates.ts'

/** Administrators may leave the prefix out: both spellings are the same endpoints. */
const PREFIXES = ['/plugins', '/admin/plugins']
/** Whether a source is due is asked so often, and words that were lost are made up for. */
const LOOK_MILLISECONDS = 60_000
const SWEEP_MILLISECONDS = 60 * 60_000

/** What the marketplace stands on beside the platform's services. */
export interface MarketplaceParts {
  readonly parts: Parts
  readonly stock: MarketplaceStock
  readonly plugins: PluginService
  readonly updates: Updates
}

/** Opens the marketplace: sources are read in the background, and what they revoke is looked for. */
export async function startMarketplace(scope: Scope, needs: PluginsNeeds, given: MarketplaceParts): Promise<void> {
  const { db, locks, log, secrets } = scope
  const { parts, stock, plugins, updates } = given
  const { sources, keys, policy } = stock
  const onChange = async (source: string): Promise<void> => {
    // This host answers with it at once; the others hear of it.
    await sources.follow()
    await scope.emit(pluginSourcesChanged, { source })
  }
  const refresher = new SourceRefresher({ db, locks, log, settings: needs.settings, sources, onChange })
  const { operations, staging, audit, emit } = parts
  const watch = new RevocationWatch({ ...needs, parts, db, locks, log, sources, operations, emit })
  const fetcher = new OfferFetcher({ db, staging, sources, keys, policy, signal: operations.signal })
  scope.use(parts.fetchers.register(fetcher))
  const countPlugins = (source: string): number => sources.find(source)?.index.state.plugins ?? 0
  const onSource = async (source: string): Promise<void> => {
    await onChange(source)
    background(scope, 'a source of plugins could not be read', () => refresher.refresh(source, { force: false }))
  }
  const service = new SourceService({ db, secrets, audit, countPlugins, onChange: onSource })
  scope.on(firstRunDemoSeeded, () => seedSampleIndex(service))
  const publishers = new PublisherService(db, audit)
  const marketplace = new Marketplace(db, sources)
  for (const prefix of PREFIXES) {
    scope.route(...sourceRoutes({ service, refresher }, prefix), ...trustRoutes({ publishers }, prefix))
    scope.route(...browseRoutes(marketplace, prefix))
    scope.route(...installRoutes({ plugins, fetcher, updates, refresher }, prefix))
  }
  await sources.follow()
  follow(scope, { stock, refresher, watch })
}

function follow(
  scope: Scope,
  { stock, refresher, watch }: { stock: MarketplaceStock; refresher: SourceRefresher; watch: RevocationWatch },
): void {
  const look = () => watch.look()
  scope.on(pluginSourcesChanged, () => stock.sources.follow(), 'every-host')
  scope.onChanges('plugins.sources', () =>
    background(scope, 'sources of plugins could not be read', () => stock.sources.follow()),
  )
  scope.on(pluginSourcesChanged, () => background(scope, 'revocations could not be looked for', look))
  scope.on(pluginsInstalled, () => background(scope, 'revocations could not be looked for', look))
  scope.on(pluginsOperationEnded, ({ kind }) => {
    if (kind === 'upgrade' || kind === 'rollback') background(scope, 'revocations could not be looked for', look)
  })
  scope.on(kernelStarted, () => background(scope, 'sources of plugins could not be read', () => refresher.refreshDue()))
  scope.every(LOOK_MILLISECONDS, async () => {
    await stock.sources.follow()
    await refresher.refreshDue()
    await look()
  })
  scope.every(SWEEP_MILLISECONDS, () => refresher.sweep())
}

/** Nobody waits for it, and a fault of it is told in the log. */
function background({ log }: Scope, fault: string, work: () => Promise<unknown>): void {
  work().catch((error: unknown) => log.warn({ err: error }, fault))
}
