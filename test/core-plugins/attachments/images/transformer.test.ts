import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '#kernel'
import { ImageWorker } from '../../../../core-plugins/attachments/images/worker/image-worker.ts'
import { planImage } from '../../../../core-plugins/attachments/images/plan.ts'
import { Transformer, type TransformRequest } from '../../../../core-plugins/attachments/images/worker/transformer.ts'
import { Turns } from '../../../../core-plugins/attachments/images/worker/turns.ts'
import { silentLog } from '../../../support/kernel.ts'
import { picture } from '../../../support/pictures.ts'
import { until } from '../../../support/until.ts'

const limits = { atOnce: 2, milliseconds: 60_000 }
const job = { source: 'jpg', plan: planImage({ w: 40 }, 'jpg', 80), maxPixels: 50_000_000, maxFrames: 60 } as const
const nobodyLeaves = new AbortController().signal

type CopyTo = TransformRequest['copyTo']

/** A source of which the first half comes, and never the rest. */
const halting =
  (bytes: Buffer): CopyTo =>
  async (file) => {
    await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2)))
    await new Promise(() => undefined)
  }

const codeOf = (made: Promise<Buffer>): Promise<number> =>
  made.then(
    () => 200,
    (error: unknown) => (error instanceof AppError ? error.code : 0),
  )

describe('the processes that make images', () => {
  let bytes: Buffer
  let transformer: Transformer
  before(async () => {
    bytes = await picture(400, 300).jpeg().toBuffer()
  })
  beforeEach(() => {
    transformer = new Transformer(silentLog)
  })
  afterEach(() => transformer[Symbol.dispose]())

  const request = (copyTo: CopyTo): TransformRequest => ({ job, copyTo, signal: nobodyLeaves })
  const whole: CopyTo = (file) => writeFile(file, bytes)

  it('are used again, and replaced where one was killed while it had nothing to do', async () => {
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
    const [first = 0] = transformer.pids
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
    assert.deepEqual(transformer.pids, [first])
    process.kill(first, 'SIGKILL')
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
    assert.equal(transformer.pids.includes(first), false)
  })

  it('are started anew when one is killed in its work, and the image comes all the same', async () => {
    let opened = 0
    const copyTo: CopyTo = (file) => {
      opened += 1
      return opened === 1 ? halting(bytes)(file) : whole(file)
    }
    const made = transformer.make(request(copyTo), limits)
    await until(() => opened === 1)
    process.kill(transformer.pids[0] ?? 0, 'SIGKILL')
    assert.deepEqual([await codeOf(made), opened], [200, 2])
  })

  it('end with 5006 where the image is killed again, and with 4225 where they break by themselves', async () => {
    const twice = codeOf(transformer.make(request(halting(bytes)), limits))
    await until(() => transformer.pids.length === 1)
    const [first = 0] = transformer.pids
    process.kill(first, 'SIGKILL')
    await until(() => transformer.pids.some((pid) => pid !== first))
    process.kill(transformer.pids.find((pid) => pid !== first) ?? 0, 'SIGKILL')
    assert.equal(await twice, 5006)
    const begun = Promise.withResolvers<void>()
    const begins: CopyTo = (file) => {
      begun.resolve()
      return halting(bytes)(file)
    }
    const broken = codeOf(transformer.make(request(begins), limits))
    await begun.promise
    process.kill(transformer.pids[0] ?? 0, 'SIGSEGV')
    assert.equal(await broken, 4225)
  })

  it('that break before they were given anything are no fault of the image, and another one is tried', async () => {
    const once = codeOf(transformer.make(request(whole), limits))
    await until(() => transformer.pids.length === 1)
    const [first = 0] = transformer.pids
    process.kill(first, 'SIGSEGV')
    await until(() => transformer.pids.length === 1 && transformer.pids[0] !== first)
    process.kill(transformer.pids[0] ?? 0, 'SIGSEGV')
    assert.equal(await once, 5006)
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
  })

  it('find their packages also where those are links', async () => {
    const root = path.join(import.meta.dirname, '../../../..')
    const images = 'core-plugins/attachments/images'
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-linked-'))
    try {
      await symlink(await realpath(path.join(root, 'node_modules')), path.join(folder, 'node_modules'))
      for (const name of ['package.json', images])
        await cp(path.join(root, name), path.join(folder, name), { recursive: true })
      const made = `import { writeFile } from 'node:fs/promises'
        import { readFileSync } from 'node:fs'
        import { ImageWorker } from './${images}/worker/image-worker.ts'
        using worker = new ImageWorker()
        const limits = { milliseconds: 60_000, memoryBytes: 1e9 }
        const { kind, said = '' } = await worker.run(${JSON.stringify(job)}, (file) => writeFile(file, readFileSync(0)), limits)
        process.stdout.write(kind + said)`
      const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', made], {
        cwd: folder,
        input: bytes,
      })
      assert.equal(stdout.toString(), 'made')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('are killed when an image takes longer than it may, and the next one is made', async () => {
    assert.equal(await codeOf(transformer.make(request(halting(bytes)), { ...limits, milliseconds: 50 })), 5006)
    assert.deepEqual(transformer.pids, [])
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
  })

  it('are killed when an image takes more memory than it may', async () => {
    using worker = new ImageWorker()
    // It is held whole while it is read.
    const large = await picture(3000, 2000).jpeg({ progressive: true }).toBuffer()
    const result = await worker.run(job, (file) => writeFile(file, large), {
      milliseconds: 60_000,
      memoryBytes: 1_000_000,
    })
    assert.deepEqual([result.kind, result.kind === 'died' && result.why, worker.isUsable], ['died', 'memory', false])
  })

  it('may read their program and nothing else, and know nothing of the host’s environment', async () => {
    await transformer.make(request(whole), limits)
    const [pid = 0] = transformer.pids
    const of = async (what: string): Promise<readonly string[]> =>
      (await readFile(`/proc/${pid}/${what}`, 'utf8')).split('\0').filter(Boolean)
    const flags = (await of('cmdline')).filter((flag) => flag.startsWith('--'))
    const given = flags.filter((flag) => /^--(permission|allow-)/.test(flag)).map((flag) => flag.replace(/=.*/, ''))
    assert.deepEqual([...new Set(given)].sort(), ['--allow-addons', '--allow-fs-read', '--permission'])
    assert.equal(flags.includes('--allow-fs-read=*'), false)
    assert.deepEqual(
      (await of('environ')).map((entry) => entry.replace(/=.*/, '')),
      ['MALLOC_ARENA_MAX', 'UV_THREADPOOL_SIZE'],
    )
  })

  it('hand on what is wrong with the source, which is no fault of the image', async () => {
    const failing: CopyTo = async (file) => {
      await writeFile(file, bytes.subarray(0, 10))
      throw new Error('the storage is gone')
    }
    await assert.rejects(transformer.make(request(failing), limits), /the storage is gone/)
    assert.equal(await codeOf(transformer.make(request(whole), limits)), 200)
  })

  it('end with the host', async () => {
    await transformer.make(request(whole), limits)
    const [pid = 0] = transformer.pids
    transformer[Symbol.dispose]()
    await until(() => {
      try {
        return !process.kill(pid, 0)
      } catch {
        return true
      }
    })
  })
})

describe('the turns in which images are made', () => {
  it('are two at once, 32 waiting, and a refusal with a time for the next', async () => {
    const turns = new Turns()
    const gate = Promise.withResolvers<void>()
    let [running, most] = [0, 0]
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await gate.promise
      running -= 1
    }
    const all = Array.from({ length: 34 }, () => turns.run(2, work, nobodyLeaves))
    await assert.rejects(turns.run(2, work, nobodyLeaves), (error: AppError) => {
      assert.deepEqual([error.code, error.headers], [5033, { 'retry-after': '1' }])
      return true
    })
    gate.resolve()
    await Promise.all(all)
    assert.deepEqual([most, running], [2, 0])
    await turns.run(2, () => Promise.resolve(), nobodyLeaves)
  })

  it('are taken alone by what takes every place, which waits no longer than its turn', async () => {
    const turns = new Turns()
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const begun: number[] = []
    const begin = (which: number) => (): Promise<void> | undefined => {
      begun.push(which)
      return gates[which]?.promise
    }
    const small = turns.run(2, async () => begin(0)(), nobodyLeaves)
    const large = turns.run(2, async () => begin(1)(), nobodyLeaves, 2)
    // There is a place, and somebody before it who waits for two.
    const later = turns.run(2, async () => begin(2)(), nobodyLeaves)
    assert.deepEqual(begun, [0])
    gates[0]?.resolve()
    await small
    assert.deepEqual(begun, [0, 1])
    gates[1]?.resolve()
    await large
    assert.deepEqual(begun, [0, 1, 2])
    gates[2]?.resolve()
    await later
    // Of what wants more than there is, one at a time.
    assert.equal(await turns.run(2, () => Promise.resolve('alone'), nobodyLeaves, 16), 'alone')
  })

  it('are left by whoever goes away, and follow the number that may work at once', async () => {
    const turns = new Turns()
    const gate = Promise.withResolvers<void>()
    const first = turns.run(1, () => gate.promise, nobodyLeaves)
    const leaving = new AbortController()
    const left = turns.run(1, () => Promise.resolve('left'), leaving.signal)
    const stayed = turns.run(1, () => Promise.resolve('stayed'), nobodyLeaves)
    leaving.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
    assert.equal(await turns.run(2, () => Promise.resolve('beside'), nobodyLeaves), 'beside')
    gate.resolve()
    await first
    assert.equal(await stayed, 'stayed')
  })
})
