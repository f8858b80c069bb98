// @own-back-end
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Api } from '../../support/api.ts'
import { childEnv } from '../../support/child-env.ts'
import { setUp } from '../../support/first-run.ts'
import { checkout, startHostProcess } from '../../support/host-process.ts'
import { dataOf } from '../../support/platform.ts'

const run = promisify(execFile)
const backupPassphrase = 'correct horse battery staple'

describe('the commands as an operator of the embedded database types them', () => {
  let root: string

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'stoa-operator-'))
    // As root the server runs as nobody, who must get through.
    await chmod(root, 0o711)
  })
  after(() => rm(root, { recursive: true, force: true }))

  const npm = (dataDir: string, ...args: readonly string[]) =>
    run('npm', ['run', ...args], {
      cwd: checkout,
      env: { ...childEnv, DATA_DIR: dataDir, BACKUP_PASSPHRASE: backupPassphrase },
    })

  it('move a running platform to another folder with its secrets and sessions', async () => {
    const [old, fresh, target] = ['old', 'fresh', 'backups'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(fresh)
    const host = await startHostProcess({ dataDir: old })
    const { admin } = await setUp(host, old)
    const owner = { email: 'owner@acme.test', password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/tenants', { code: 'acme', name: 'Acme', owner }), 201)
    await npm(old, 'backup', '--', '--to', target, '--encrypt')
    await host.stop()
    const { stdout: verified } = await npm(old, 'backup:verify', '--', '--from', target)
    assert.match(verified, /is whole/)
    const { stdout: listed } = await npm(old, 'backup:list', '--', '--from', target)
    assert.match(listed, /\d+ rows {2}0 files/)
    const { stdout: restored } = await npm(fresh, 'restore', '--', '--from', target)
    assert.match(restored, /is restored: start the platform/)
    const secrets = await Promise.all(
      [old, fresh].map((dataDir) => readFile(path.join(dataDir, 'secrets.json'), 'utf8')),
    )
    assert.equal(secrets[0], secrets[1])
    assert.equal((await stat(path.join(fresh, 'secrets.json'))).mode & 0o777, 0o600)
    await using second = await startHostProcess({ dataDir: fresh })
    const tenants = dataOf(await new Api(second.url, admin.token).get('/admin/tenants?q=acme'))
    assert.equal(tenants['items']?.['0']?.['code'], 'acme')
  })

  it('say in one line what they need', async () => {
    for (const [args, words] of [
      [['backup'], /--to FOLDER or s3:/],
      [['backup', '--', '--to', '/tmp/nowhere', '--encrypt'], /There is no platform in/],
      [['restore', '--', '--from', path.join(root, 'nothing')], /There are no backups at this place/],
      [['restore', '--', '--wrong'], /Unknown option '--wrong'/],
    ] as const) {
      const failed = await npm(path.join(root, 'none'), ...args).catch((error: unknown) => error)
      const { stderr } = failed as { stderr: string }
      assert.match(stderr, words)
      assert.doesNotMatch(stderr, /\n\s+at /)
    }
  })
})
