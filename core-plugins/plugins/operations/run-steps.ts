import { OperationTakenOverError } from '../shared/errors.ts'
import type { LateStep, Recorded, RecordedSteps, Step } from './step.ts'

/**
 * Does the steps of an operation: up to the one that commits, and what follows that. What fails before the commit is undone, the last step
 * first; a host that stops leaves that to the one that takes over.
 */
export async function runSteps<W extends R, R extends Recorded>(steps: readonly Step<W, R>[], work: W): Promise<void> {
  const { operation } = work
  operation.follow(foresee(steps, work))
  try {
    for (const step of steps) {
      if (operation.committed) break
      await take(step, work)
    }
  } catch (error) {
    if (mayUndo(work, error)) await undoOrLeave(steps, work)
    throw error
  }
  await finishSteps(steps, work)
}

/** Does what follows the commit and is not done yet. */
export async function finishSteps<R extends Recorded>(steps: RecordedSteps<R>, recorded: R): Promise<void> {
  const { operation } = recorded
  const late = listLate(steps, recorded)
  operation.follow(late.map(({ name }) => name))
  for (const step of late) {
    if (step.when && !step.when(recorded)) continue
    if ('finish' in step) await operation.step(step.name, () => step.finish(recorded))
    else await operation.change(step.name, (trx) => step.finishChange(trx, recorded))
  }
}

/** Undoes what was begun before the commit, the last step first. */
export async function undoSteps<R extends Recorded>(steps: RecordedSteps<R>, recorded: R): Promise<void> {
  const last = steps.findIndex(({ name }) => name === recorded.operation.begun)
  for (const step of steps.slice(0, last + 1).reverse()) {
    if ('undo' in step) await step.undo?.(recorded)
  }
}

async function take<W extends R, R extends Recorded>(step: Step<W, R>, work: W): Promise<void> {
  if (isLate(step) || (step.when && !step.when(work))) return
  const { operation } = work
  if ('prepare' in step) await operation.step(step.name, () => step.prepare(work))
  else if ('change' in step) await operation.change(step.name, (trx) => step.change(trx, work))
  else {
    await operation.change(step.name, (trx) => step.commit(trx, work), { commits: true })
    await step.tell?.(work)
  }
}

/** The names of the steps that will be taken, or may be: of those that only their time tells, all. */
function foresee<W extends R, R extends Recorded>(steps: readonly Step<W, R>[], work: W): readonly string[] {
  const taken = steps.filter((step) => isLate(step) || !step.isForeseen || !step.when || step.when(work))
  const at = taken.findIndex((step) => 'commit' in step)
  const rest = taken.slice(at + 1)
  const other = rest.findIndex((step) => !isLate(step))
  return taken.slice(0, other < 0 ? taken.length : at + 1 + other).map(({ name }) => name)
}

/** Those after the step that committed, up to the next one that could have been taken instead. */
function listLate<R extends Recorded>(steps: RecordedSteps<R>, { operation }: R): readonly LateStep<R>[] {
  const at = steps.findIndex((step) => 'commit' in step && operation.result(step.name) !== undefined)
  const rest = steps.slice(at + 1)
  const other = rest.findIndex((step) => !isLate(step))
  return rest.slice(0, other < 0 ? rest.length : other).filter(isLate)
}

function isLate<R extends Recorded>(step: Step<never, R>): step is LateStep<R> {
  return 'finish' in step || 'finishChange' in step
}

/** What happened is not undone, nor what may have: whoever recovers it looks. What another host took over is undone there. */
function mayUndo({ operation }: Recorded, error: unknown): boolean {
  const { committed, isLeft, signal } = operation
  return !committed && !isLeft && !signal.aborted && !(error instanceof OperationTakenOverError)
}

async function undoOrLeave<R extends Recorded>(steps: RecordedSteps<R>, recorded: R): Promise<void> {
  const { operation, parts } = recorded
  try {
    await undoSteps(steps, recorded)
  } catch (error) {
    operation.leave()
    const about = { plugin: operation.plugin, operation: operation.kind, step: operation.begun }
    parts.log.warn({ ...about, err: error }, 'an operation could not be undone yet')
  }
}
