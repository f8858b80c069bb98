import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { createJail } from '../../sandbox/supervisor/jail.ts'
import { seccompPrefix } from '../../sandbox/supervisor/seccomp.ts'
import { asNobody, findWalls } from '../../sandbox/supervisor/walls.ts'
import { quiet } from './host-releases.ts'

const run = promisify(execFile)

/** What an attacker would try who broke out of the engine; each answers the error it met. */
const attempts: Readonly<Record<string, string>> = {
  connect: `new Promise((end) => net.connect(1, '127.0.0.1').on('error', (error) => end(error.code)))`,
  listen: `new Promise((end) => net.createServer().on('error', (error) => end(error.code)).listen(0, '127.0.0.1'))`,
  write: `code(() => fs.writeFileSync('/tmp/stoa-escaped', 'x'))`,
  remove: `code(() => fs.unlinkSync('/tmp/stoa-escaped'))`,
  start: `code(() => { throw child.spawnSync('/bin/true').error })`,
  signal: `code(() => process.kill(process.ppid, 0))`,
  parent: `code(() => fs.readFileSync('/proc/' + process.ppid + '/environ'))`,
  read: `code(() => fs.readFileSync('/etc/hostname'))`,
}

describe('the jail of sandbox hosts', () => {
  it('lets a program that broke out of the engine reach nothing', async () => {
    const { prefix } = await createJail(quiet, [])
    const program = `
      const fs = require('node:fs'), net = require('node:net'), child = require('node:child_process')
      const code = (work) => { try { work(); return 'done' } catch (error) { return error.code } }
      const attempts = { ${Object.entries(attempts)
        .map(([name, text]) => `${name}: () => ${text}`)
        .join(', ')} }
      void (async () => {
        const met = {}
        for (const name in attempts) met[name] = await attempts[name]()
        console.log(JSON.stringify(met))
      })()`
    const [command = '', ...rest] = [...prefix, process.execPath, '-e', program]
    const { stdout } = await run(command, rest, { env: {} })
    assert.deepEqual(JSON.parse(stdout), {
      connect: 'EPERM',
      listen: 'EPERM',
      write: 'EPERM',
      remove: 'EPERM',
      start: 'EPERM',
      signal: 'EPERM',
      parent: 'EACCES',
      read: 'done',
    })
  })

  it('has no filter of system calls for machines whose calls it does not know', () => {
    assert.deepEqual(seccompPrefix('/usr/bin/perl', 'riscv64'), [])
  })

  it('is tried as a whole, and wall by wall only where that does not work', async () => {
    const tries: (readonly string[])[] = []
    const whole = await findWalls((prefix) => Promise.resolve(tries.push(prefix) > 0))
    const { user, calls, limited, network } = whole
    assert.deepEqual(tries, [[...network, ...limited, ...user, ...calls]])

    const has = (prefix: readonly string[], word: string): boolean => prefix.some((each) => each.endsWith(word))
    // As in a container without network namespaces, or below a folder that is closed to others.
    const open = await findWalls((prefix) => Promise.resolve(!has(prefix, 'unshare')))
    assert.deepEqual(open, { ...whole, network: [] })
    const same = await findWalls((prefix) => Promise.resolve(!prefix.includes(asNobody)))
    assert.deepEqual(same, { ...whole, user: user.filter((word) => !/^--(reuid|regid|clear-groups)/.test(word)) })
    const none = await findWalls((prefix) => Promise.resolve(prefix.length === 0))
    assert.deepEqual(none, { user: [], calls: [], limited: [], network: [] })
  })
})
