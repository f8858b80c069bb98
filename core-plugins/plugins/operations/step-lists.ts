import type { OperationKind } from '../shared/models.ts'

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
