import { deepEqual, equal, ok } from 'node:assert/strict'
import { commands } from '../../marketplace/cli/commands.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

/** A publisher's and a keeper's day: each command once, where the one before left things. */
const day = [
  ...['create', 'types', 'validate', 'keygen', 'pack', 'sign', 'verify', 'size', 'diff', 'ls'],
  ...[
    'index init',
    'index sign-keys',
    'index add-publisher',
    'index add',
    'publish',
    'index check',
    'index build',
    'search',
    'show',
    'index mirror',
    'index add-token',
    'index add-ci',
    'index access',
    'index remove-access',
  ],
  ...[
    'doctor',
    'completion',
    'index yank',
    'yank',
    'deprecate',
    'index revoke',
    'index rotate-key',
    'licence keygen',
    'licence issue',
    'licence inspect',
  ],
]
/** These run until they are stopped, start processes or undo what the day needs, and have tests of their own. */
const elsewhere = ['dev', 'test', 'unpublish', 'index serve']

describe('the help of the command line', () => {
  it('shows examples that run, one command after the other', async () => {
    deepEqual([...day, ...elsewhere].sort(), Object.keys(commands).sort())
    await using scratch = await makeScratch()
    for (const name of day) {
      const { stdout: help } = await stoa('/', 'help', ...name.split(' '))
      for (const example of commands[name]?.examples ?? []) {
        ok(help.includes(`  ${example}\n`), help)
        const [, ...args] = (example.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
        const { exitCode, stdout, stderr } = await stoa(scratch.path, ...args)
        equal(exitCode, 0, `${example}\n${stderr}`)
        ok(stdout !== '' && stderr === '', example)
      }
    }
  })

  it('answers in one line of JSON where a program asks', async () => {
    await using scratch = await makeScratch()
    const answered = await stoa(scratch.path, 'keygen', 'acme-1', '--json')
    deepEqual(Object.keys(JSON.parse(answered.stdout) as object).sort(), [
      'fingerprint',
      'key_file',
      'kid',
      'public_key',
      'public_key_file',
    ])
    const refused = await stoa(scratch.path, 'index', 'check', 'nowhere', '--json')
    equal(refused.exitCode, 1)
    equal((JSON.parse(refused.stdout) as { valid: boolean }).valid, false)
  })

  it('lists what a group can do, and says what is not understood with 2', async () => {
    const group = await stoa('/', 'help', 'index')
    ok(group.stdout.includes('stoa index build') && !group.stdout.includes('stoa keygen'), group.stdout)
    const wrong: readonly (readonly string[])[] = [
      ['index'],
      ['index', 'fly'],
      ['index', 'build', '.'],
      ['index', 'build', '.', '--key', 'none.key.json'],
      ['index', 'yank', 'acme.sales', '--reason', 'x'],
      ['index', 'yank', 'acme.sales@1.0.0'],
      ['index', 'revoke', '--reason', 'x'],
      ['index', 'revoke', 'acme.sales', '--action', 'explode', '--reason', 'x'],
      ['index', 'add-publisher', 'acme'],
      ['index', 'add-publisher', 'acme', 'none.pub.json', '--level', 'holy'],
      ['index', 'mirror', 'one'],
      ['index', 'mirror', '.', '.'],
      ['index', 'mirror', '.', 'copy', '--root', 'abc'],
      ['index', 'mirror', '.', 'copy', '--header', 'nonsense'],
      ['index', 'serve', '.', '--port', '99999'],
      ['index', 'build', '.', '--key', 'a', '--expires-days', 'soon'],
      ['publish', 'x.zip', '--url', 'http://plain.example.com/x.zip'],
      ['publish', 'x.zip', '--published', 'yesterday'],
      ['sign', 'x.zip'],
      ['verify', 'x.zip'],
      ['diff', 'one'],
      ['size', 'nothing-there'],
      ['doctor', 'now'],
      ['doctor', '--token', 'x'],
    ]
    await using scratch = await makeScratch()
    for (const args of wrong) {
      const { exitCode, stdout, stderr } = await stoa(scratch.path, ...args)
      deepEqual([args, exitCode, stdout], [args, 2, ''])
      ok(stderr.length > 10, stderr)
    }
  })
})
