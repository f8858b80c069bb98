'use strict'
const { globSync } = require('node:fs')

/** How long files take that take longest, in seconds; the others take about ten. */
const seconds = {
  delivery: 160,
  'frame-hostile': 75,
  frames: 60,
  live: 55,
  records: 55,
  develop: 45,
  chat: 35,
  bars: 35,
  'main-thread': 35,
  'frame-storms': 30,
  dashboards: 25,
  plugins: 25,
  'around-pages': 25,
  'missing-files': 25,
  'long-log': 25,
  'ai-forms': 20,
  'long-chat': 20,
  operations: 20,
  uploads: 20,
  lists: 15,
}
const weightOf = (file) => seconds[file.slice('test/browser/'.length, -'.test.ts'.length)] ?? 10

const first = 'test/browser/first-run.test.ts'
const files = globSync('test/browser/**/*.test.ts').filter((file) => file !== first)

/** The files of one of several shares that take about as long as each other, each in a process of its own: `2/3` is the second of three. */
function share([number, count]) {
  const shares = Array.from({ length: count }, () => ({ files: [], weight: 0 }))
  for (const file of files.sort().sort((one, other) => weightOf(other) - weightOf(one))) {
    const least = shares.reduce((one, other) => (other.weight < one.weight ? other : one))
    least.files.push(file)
    least.weight += weightOf(file)
  }
  return shares[number - 1].files.sort()
}

module.exports = {
  extension: ['ts'],
  // Each process has a platform of its own, which the first file sets up.
  spec: [first, ...share((process.env.STOA_TEST_SHARE ?? '1/1').split('/').map(Number))],
  require: ['./test/support/cluster.ts'],
  // Of hangs alone.
  timeout: 400_000,
  forbidOnly: true,
  forbidPending: true,
}
