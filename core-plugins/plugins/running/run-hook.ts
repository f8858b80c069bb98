import { authorText, type HookName } from '#sandbox'
import type { HookNeeds } from './needs.ts'
import { isLasting } from './lasting-fault.ts'
import { getPlugin } from '../shared/find-plugin.ts'

/** It stands in answers, notifications and the log of operations. */
const longest = 300

/** What became of a hook, as an operation records it. */
interface HookResult {
  readonly ok: boolean
  readonly error?: string
  /** It was not called, for a fault of this host or what it stands on: another attempt may go well. */
  readonly isPassing?: boolean
}

/** Calls a lifecycle hook of an installed plugin; its failure is a value. The id tells a repeated call from a new one; the facts are what else it is told. */
export async function runHook(
  { db, loader, sandbox, log }: HookNeeds,
  plugin: string,
  hook: HookName,
  operationId: string,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<HookResult> {
  try {
    const row = await getPlugin(db, plugin)
    const { release, grants } = await loader.prepare({ id: row.id, name: row.name, releaseId: row.activeRelease })
    if (release.manifest.hooks?.[hook] === undefined) return { ok: true }
    const outcome = await sandbox.runHook(release, grants, hook, {
      operation_id: operationId,
      version: release.version,
      ...facts,
    })
    if (outcome.ok) return { ok: true }
    const why = outcome.kind === 'threw' ? authorText(outcome.error.message, longest) : outcome.kind
    log.warn({ plugin, hook, why }, 'a lifecycle hook failed')
    return { ok: false, error: why }
  } catch (error) {
    log.warn({ err: error, plugin, hook }, 'a lifecycle hook could not be called')
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, error: why, isPassing: !isLasting(error) }
  }
}
