import type { Command } from './command.ts'
import { createCompletion } from './completion.ts'
import { create } from './create.ts'
import { deprecate } from './deprecate.ts'
import { dev } from './dev.ts'
import { diff } from './diff.ts'
import { doctor } from './doctor.ts'
import { indexAccess, indexAddCi, indexAddToken, indexRemoveAccess } from './index/access.ts'
import { indexAdd } from './index/add.ts'
import { indexAddPublisher } from './index/add-publisher.ts'
import { indexBuild } from './index/build.ts'
import { indexCheck } from './index/check.ts'
import { indexInit } from './index/init.ts'
import { indexMirror } from './index/mirror.ts'
import { indexRevoke } from './index/revoke.ts'
import { indexRotateKey } from './index/rotate-key.ts'
import { indexServe } from './index/serve.ts'
import { indexSignKeys } from './index/sign-keys.ts'
import { indexYank } from './index/yank.ts'
import { keygen } from './keygen.ts'
import { licenceInspect } from './licence/inspect.ts'
import { licenceIssue } from './licence/issue.ts'
import { licenceKeygen } from './licence/keygen.ts'
import { ls } from './ls.ts'
import { pack } from './pack.ts'
import { publish } from './publish.ts'
import { search, show } from './search.ts'
import { sign } from './sign.ts'
import { size } from './size.ts'
import { test } from './test.ts'
import { types } from './types.ts'
import { unpublish } from './unpublish.ts'
import { validate } from './validate.ts'
import { verify } from './verify.ts'

/** Every command of `stoa`, in the order of the list; a name of two words belongs to a group. */
export const commands: Readonly<Record<string, Command>> = {
  ...{ create, dev, test, types, validate, keygen, pack, sign, verify, diff, size, ls, publish, search, show },
  unpublish,
  deprecate,
  yank: { ...indexYank, examples: ['stoa yank acme.sales@0.1.0 --undo --index plugins'] },
  doctor,
  completion: createCompletion(() => commands),
  'index init': indexInit,
  'index add-publisher': indexAddPublisher,
  'index sign-keys': indexSignKeys,
  'index add': indexAdd,
  'index check': indexCheck,
  'index build': indexBuild,
  'index serve': indexServe,
  'index add-token': indexAddToken,
  'index add-ci': indexAddCi,
  'index access': indexAccess,
  'index remove-access': indexRemoveAccess,
  'index mirror': indexMirror,
  'index yank': indexYank,
  'index revoke': indexRevoke,
  'index rotate-key': indexRotateKey,
  'licence keygen': licenceKeygen,
  'licence issue': licenceIssue,
  'licence inspect': licenceInspect,
}
