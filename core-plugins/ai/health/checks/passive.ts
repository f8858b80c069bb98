import type { Catalogue } from '../../catalogue/types.ts'
import { percentile, sumFigures } from '../../stats/figures.ts'
import type { FigureRow } from '../../stats/figure-rows.ts'
import { failuresOf } from '../failures.ts'
import type { Check } from './check-log.ts'

/** What requests showed of each target in each minute. */
export function passiveChecks(
  rows: readonly FigureRow[],
  catalogue: Pick<Catalogue, 'provider'>,
  errorRate: number,
): readonly Check[] {
  const targets = rows.filter(({ target }) => target !== '')
  const minutes = Map.groupBy(targets, ({ at, key }) => `${String(at.getTime())} ${key}`)
  return [...minutes.values()].flatMap((own): readonly Check[] => {
    const [first] = own
    const [providerId = '', ...model] = first?.key.split('/') ?? []
    const provider = catalogue.provider(providerId)
    const all = sumFigures(own.map(({ figures }) => figures))
    const { failed, counted, worst } = failuresOf(all)
    if (!first || !provider || counted === 0) return []
    return [
      {
        ...{ at: first.at, tenantId: provider.tenantId, providerId, target: model.join('/'), kind: 'passive' },
        ...{ level: 'requests', ok: failed / counted < errorRate, ms: percentile(all.latency, 0.5) ?? undefined },
        ...{ class: worst, status: failed > 0 ? all.lastError?.status : undefined },
        detail: failed === 0 ? undefined : `${String(failed)} of ${String(counted)} failed`,
      },
    ]
  })
}
