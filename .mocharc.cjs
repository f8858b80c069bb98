'use strict'
const { globSync } = require('node:fs')

/** What takes longest comes first, so that no process works on alone at the end. */
const slow = [
  'sandbox/host-hostile',
  'core-plugins/killed/killed',
  'core-plugins/hostile/hostile',
  'core-plugins/whole/lifecycle-story',
  'core-plugins/process/process',
  'core-plugins/backup/backup',
  'core-plugins/backup/damage',
  'core-plugins/hosts/faults',
  'core-plugins/hosts/faults-elsewhere',
  'kernel/data/silence',
  'marketplace/authors',
  'marketplace/killed',
  'sandbox/blame-of-calls',
]

const first = slow.map((name) => `test/${name}.test.ts`)
const files = globSync('test/{kernel,core-plugins,sandbox,marketplace,mutations}/**/*.test.ts').sort()

module.exports = {
  extension: ['ts'],
  spec: [...first, ...files.filter((file) => !first.includes(file))],
  require: ['./test/support/cluster.ts'],
  // Of hangs alone: a busy machine may take minutes for what takes seconds.
  timeout: 400_000,
  forbidOnly: true,
  forbidPending: true,
  parallel: true,
  // Of two processors: the same files take a tenth longer with three of them, and half as long again with one.
  jobs: 2,
}
