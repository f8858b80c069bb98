import type { UpdateBody } from '../../../../../plugin-index/wire.ts'

/** What a plugin could become, which is known by its name here. */
export type Update = Omit<UpdateBody, 'id'>

/** Whether there is something newer that fits. */
export function canUpgrade({ latest_compatible: latest, installed, status }: Update): boolean {
  return latest !== null && latest !== installed && status !== 'current'
}

/** Whether it asks for more than the release that runs. */
export function asksMore({ rights }: Update): boolean {
  return rights?.change === 'wider'
}
