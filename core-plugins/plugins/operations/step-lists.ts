import type { OperationKind } from '../shared/models.ts'

/** The steps of kinds that have always the same ones; upgrades and rollbacks say theirs themselves. */
export const stepLists: Partial<Readonly<Record<OperationKind, readonly string[]>>> = {
  install: ['store', 'load_test', 'commit', 'converge', 'hook'],
  consent: ['grant', 'converge', 'hook'],
  enable: ['load', 'hook', 'commit', 'converge'],
  disable: ['commit', 'converge', 'hook'],
}
