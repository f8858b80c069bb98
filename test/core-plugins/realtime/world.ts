import { definePlugin, type Plugin } from '#kernel'
import { corePlugins } from '../../../core-plugins/index.ts'
import { notifier } from '../../../core-plugins/notifications/contract.ts'
import realtime from '../../../core-plugins/realtime/index.ts'
import { limits, type RealtimeLimits } from '../../../core-plugins/realtime/limits.ts'
import { needs } from '../../../core-plugins/realtime/needs.ts'
import { setupRealtime } from '../../../core-plugins/realtime/setup.ts'
import type { TestKernel } from '../../support/kernel.ts'

/** Every core plugin but the first run's, with other limits where they are given. */
export function pluginsWith(others: Partial<RealtimeLimits> = {}): readonly Plugin[] {
  const limited = definePlugin({
    ...realtime,
    needs,
    setup: (scope, needed) => setupRealtime(scope, needed, { ...limits, ...others }),
  })
  return corePlugins
    .filter(({ name }) => name !== 'first_run')
    .map((plugin) => (plugin === realtime ? limited : plugin))
}

/** Sends a user a notification at a host, and answers its id. */
export function notify({ kernel }: TestKernel, tenantId: number, userId: number, title: string): Promise<string> {
  return kernel.services.get(notifier).send({ tenantId, userId, title, source: 'system' })
}
