import type { Command } from './command.ts'
import { create } from './create.ts'
import { dev } from './dev.ts'
import { diff } from './diff.ts'
import { keygen } from './keygen.ts'
import { pack } from './pack.ts'
import { sign } from './sign.ts'
import { size } from './size.ts'
import { test } from './test.ts'
import { validate } from './validate.ts'
import { verify } from './verify.ts'

/** Every command of `stoa`, in the order of the list; a name of two words belongs to a group. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  create,
  dev,
  test,
  validate,
  pack,
  keygen,
  sign,
  verify,
  diff,
  size,
}
