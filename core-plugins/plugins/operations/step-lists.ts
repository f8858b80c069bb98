import type { OperationKind } from '../shared/operation-kinds.ts'

type SaidElsewhere = 'upgrade' | 'rollback' | 'uninstall' | 'force_cleanup'

const change = ['commit', 'converge']

/** The steps of kinds, of which some may be left out; those that have long lists, and ways that have others, say theirs themselves. */
export const stepLists: Readonly<Record<Exclude<OperationKind, SaidElsewhere>, readonly string[]>> &
  Partial<Record<SaidElsewhere, undefined>> = {
  install: ['store', 'load_test', 'commit', 'converge', 'hook'],
  consent: ['grant', 'converge', 'hook'],
  enable: ['load', 'hook', 'commit', 'converge'],
  disable: ['commit', 'converge', 'hook'],
  sync: ['load', ...change],
  capabilities: change,
  menu_config: change,
  icon: ['prepare', ...change],
  repair: ['unpack', ...change, 'sweep', 'start'],
  backup: ['backup', 'record'],
  delete_backup: ['delete', 'objects'],
  license: change,
  trial: change,
  revoke_license: change,
}

/** Steps with which what an operation is about has happened; no list has more than one that is taken, and while two stand in it, which one is not known. */
const committing: ReadonlySet<string> = new Set([
  ...['commit', 'grant', 'refuse', 'ask', 'switch', 'record', 'delete', 'stop_dispatch'],
])

/** The step from which on an operation is finished and not undone; null where it is not known yet. */
export function commitStepOf(plan: readonly string[]): string | null {
  const [step, ...others] = plan.filter((each) => committing.has(each))
  return others.length === 0 ? (step ?? null) : null
}
