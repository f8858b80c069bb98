import type { HealthResult } from './contract.ts'

/** Tells when the checks of this host come out otherwise than the last time. */
export function createHealthWatch(
  check: () => Promise<HealthResult>,
  tell: (health: Pick<HealthResult, 'status' | 'checks'>) => Promise<unknown>,
): () => Promise<void> {
  let before: string | undefined
  return async () => {
    const { status, checks } = await check()
    const now = JSON.stringify(Object.entries(checks).map(([name, { status: of }]) => [name, of]))
    const isOther = before === undefined ? status !== 'healthy' : before !== now
    before = now
    if (isOther) await tell({ status, checks })
  }
}
