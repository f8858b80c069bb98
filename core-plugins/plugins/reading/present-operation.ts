import type { TextTeller } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { tellRecorded } from '../operations/recorded-error.ts'
import { commitStepOf } from '../operations/step-lists.ts'
import type { OperationRow } from '../shared/models.ts'

/** Names of users of the platform, by id. */
export type ActorNames = ReadonlyMap<number, string>

/** Who did these operations, by name, as far as they are still users. */
export async function readActors(
  users: Pick<UserDirectory, 'list'>,
  rows: readonly (Pick<OperationRow, 'actor'> | undefined)[],
): Promise<ActorNames> {
  const ids = [...new Set(rows.flatMap((row) => row?.actor ?? []))]
  if (ids.length === 0) return new Map()
  const found = await users.list(0, { ids, limit: ids.length })
  return new Map(found.map(({ id, nickname, account, email }) => [id, nickname || account || email || String(id)]))
}

/** An operation with what each step did, and the steps that are to come. */
export function presentOperation(
  row: OperationRow,
  { teller, locale, actors }: { readonly teller: TextTeller; readonly locale: string; readonly actors: ActorNames },
) {
  return {
    id: row.id,
    plugin: row.plugin,
    kind: row.kind,
    state: row.state,
    step: row.step,
    steps: row.steps,
    plan: presentPlan(row),
    commit_step: commitStepOf(row.plan ?? row.steps.map(({ step }) => step)),
    committed: row.committed,
    progress: row.state === 'running' ? row.progress : null,
    cancellable: row.state === 'running' && row.place !== null,
    from_release: row.fromRelease,
    to_release: row.toRelease,
    options: row.options,
    actor: row.actor === null ? null : { id: row.actor, name: actors.get(row.actor) ?? null },
    error: row.error ? tellRecorded(row.error, teller, locale) : null,
    trace_id: row.traceId,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}

/** The steps that were done, the one that runs or failed, and, while it runs, those to come; what was left out is not in it. */
function presentPlan({ plan, steps, step, state }: OperationRow): readonly string[] {
  const begun = [...new Set([...steps.map((one) => one.step), ...(step === null ? [] : [step])])]
  if (state !== 'running') return begun
  const planned = plan ?? []
  const at = step === null ? -1 : planned.indexOf(step)
  return [...begun, ...planned.slice(at + 1).filter((each) => !begun.includes(each))]
}
