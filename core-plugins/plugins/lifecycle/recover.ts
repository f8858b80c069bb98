import { PluginBrokenError } from '../errors.ts'
import { PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { finishConsent } from './consent.ts'
import { finishDisable, finishEnable, finishSync } from './enable.ts'
import { finishInstall } from './install.ts'
import { finishUninstall } from './uninstall.ts'

/** Ends an operation whose host died: what has happened is finished, what has not leaves nothing. */
export async function recoverOperation(parts: Parts, operation: Operation): Promise<'succeeded' | 'aborted'> {
  if (!operation.committed) {
    await dropStray(parts, operation.plugin)
    return 'aborted'
  }
  try {
    await finish(parts, operation)
    return 'succeeded'
  } catch (error) {
    // It was switched on and turned out broken, which its status tells.
    if (error instanceof PluginBrokenError) return 'aborted'
    throw error
  }
}

async function finish(parts: Parts, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'install':
      return finishInstall(parts, operation)
    case 'consent':
      return finishConsent(parts, operation)
    case 'enable':
      return finishEnable(parts, operation)
    case 'disable':
      return finishDisable(parts, operation)
    case 'sync':
      return finishSync(parts, operation)
    case 'uninstall':
    case 'force_cleanup':
      return finishUninstall(parts, operation, null)
  }
}

/** The files of an install that was not committed. */
async function dropStray({ db, store }: Parts, name: string): Promise<void> {
  const plugin = await PluginRow.with(db).findOne({ name })
  if (!plugin) await store.remove(name)
}
