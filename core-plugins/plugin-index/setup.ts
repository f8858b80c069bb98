import path from 'node:path'
import { createGuardedFetch, kernelStarted, type Scope, withAlias } from '#kernel'
import { firstRunDemoSeeded } from '../first-run/contract.ts'
import { pluginsInstalled, pluginsOperationEnded } from '../plugins/contract.ts'
import { pluginSourcesChanged } from './contract.ts'
import { RevocationWatch } from './judging/revocation-watch.ts'
import { keysOf } from './judging/source-keys.ts'
import type { PluginIndexNeeds } from './needs.ts'
import { browseRoutes } from './offers/browse-routes.ts'
import { KeptPackages } from './offers/kept-packages.ts'
import { Marketplace } from './offers/marketplace.ts'
import { OfferFetcher } from './offers/offer-fetcher.ts'
import { updateRoutes } from './offers/update-routes.ts'
import { Updates } from './offers/updates.ts'
import { createPackageIndex } from './package-index.ts'
import { PublisherKeys } from './publishers/publisher-keys.ts'
import { trustRoutes } from './publishers/routes.ts'
import { PublisherService } from './publishers/service.ts'
import { sourceRoutes } from './sources/routes.ts'
import { seedSampleIndex } from './sources/seed-sample-index.ts'
import { SourceRefresher } from './sources/source-refresher.ts'
import { SourceService } from './sources/source-service.ts'
import { SourceSet } from './sources/source-set.ts'

/** Whether a source is due is asked so often, and words that were lost are made up for. */
const lookMilliseconds = 60_000
const sweepMilliseconds = 60 * 60_000

/** Opens the index: sources are read in the background, and what they revoke is looked for. */
export async function setupPluginIndex(scope: Scope, needs: PluginIndexNeeds): Promise<void> {
  const { db, locks, log, secrets } = scope
  const { audit, directory, settings } = needs
  const { egressAllowPrivate, dnsServers } = scope.env
  const fetch = scope.use(createGuardedFetch({ egressAllowPrivate, dnsServers }))
  const sources = new SourceSet({ db, secrets, fetch })
  const updates = new Updates({ db, directory, sources })
  const onChange = async (source: string): Promise<void> => {
    // This host answers with it at once; the others hear of it.
    await sources.follow()
    await scope.emit(pluginSourcesChanged, { source })
  }
  const refresher = new SourceRefresher({ db, locks, log, settings, sources, onChange })
  const countPlugins = (source: string): number => sources.find(source)?.index.state.plugins ?? 0
  const onSource = async (source: string): Promise<void> => {
    await onChange(source)
    background(scope, 'a source of plugins could not be read', () => refresher.refresh(source, { force: false }))
  }
  const service = new SourceService({ db, secrets, audit, directory, countPlugins, onChange: onSource })
  scope.on(firstRunDemoSeeded, () => seedSampleIndex(service))
  const publishers = new PublisherService(db, audit)
  const marketplace = new Marketplace(directory, sources)
  scope.route(
    ...withAlias('/admin/plugins', '/plugins', (prefix) => [
      ...sourceRoutes({ service, refresher }, prefix),
      ...trustRoutes({ publishers }, prefix),
      ...browseRoutes(marketplace, prefix),
      ...updateRoutes({ updates, refresher }, prefix),
    ]),
  )
  await sources.follow()
  answer(scope, needs, { sources, updates })
  follow(scope, needs, { sources, refresher })
}

/** Answers what is asked of the index when plugins are installed, changed and shown. */
function answer(
  scope: Scope,
  { indexes, intake, directory, audit }: PluginIndexNeeds,
  { sources, updates }: { readonly sources: SourceSet; readonly updates: Updates },
): void {
  const { db } = scope
  const stopping = new AbortController()
  const keys = new PublisherKeys(db, audit, intake.siteTrust, keysOf(sources))
  const kept = scope.use(new KeptPackages(path.join(scope.env.dataDir, 'cache', 'offers')))
  background(scope, 'packages that were kept could not be looked through', () => kept.sweep())
  const fetcher = new OfferFetcher({ directory, intake, sources, keys, kept, signal: stopping.signal })
  scope.use(indexes.register(createPackageIndex({ db, audit, directory, sources, keys, fetcher, updates })))
  scope.defer(() => stopping.abort(new Error('the host stops')))
}

function follow(
  scope: Scope,
  needs: PluginIndexNeeds,
  { sources, refresher }: { readonly sources: SourceSet; readonly refresher: SourceRefresher },
): void {
  const { db, locks, log } = scope
  const emit: Scope['emit'] = (event, payload) => scope.emit(event, payload)
  const watch = new RevocationWatch({ ...needs, db, locks, log, sources, emit })
  const lookSoon = (): void => background(scope, 'revocations could not be looked for', () => watch.look())
  scope.on(pluginSourcesChanged, () => sources.follow(), 'every-host')
  scope.onChanges('plugins.sources', () =>
    background(scope, 'sources of plugins could not be read', () => sources.follow()),
  )
  scope.on(pluginSourcesChanged, lookSoon)
  scope.on(pluginSourcesChanged, () => needs.indexes.announce())
  scope.on(pluginsInstalled, lookSoon)
  scope.on(pluginsOperationEnded, ({ kind }) => {
    if (kind === 'upgrade' || kind === 'rollback') lookSoon()
  })
  scope.on(kernelStarted, () => background(scope, 'sources of plugins could not be read', () => refresher.refreshDue()))
  scope.every(lookMilliseconds, async () => {
    await sources.follow()
    await refresher.refreshDue()
    await watch.look()
  })
  scope.every(sweepMilliseconds, () => refresher.sweep())
}

/** Nobody waits for it, and a fault of it is told in the log. */
function background({ log }: Scope, fault: string, work: () => Promise<unknown>): void {
  work().catch((error: unknown) => log.warn({ err: error }, fault))
}
