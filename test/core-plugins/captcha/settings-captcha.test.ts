// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import type { TestKernel } from '../../support/kernel.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf } from '../../support/platform.ts'
import {
  ask,
  configure,
  host as tenantHost,
  knock,
  login,
  newChallenge,
  rightWord,
  startCaptchas,
  verify,
} from './world.ts'

const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}
const paths = ['/api/public/captcha/challenge', '/api/public/captcha/verify']
/** Bodies that are no wish and no answer. */
const nonsense: readonly unknown[] = [
  ...['null', '[]', '"x"', '{', '{"provider_code":', '\u0000'],
  ...[{ provider_code: '' }, { provider_code: 7 }, { provider_code: 'x'.repeat(129) }, { provider_code: '__proto__' }],
  ...[{ provider_code: '../../image' }, { endpoint: 'root' }, { endpoint: null }, { action: 'constructor' }],
  ...[{ difficulty: 'none' }, { difficulty: 0 }, { tenant_code: {} }, { tenant_code: 't0' }, { tenant_id: 5 }],
  ...[
    { challenge_id: {}, solution: 'x' },
    { challenge_id: 'x', solution: null },
    { challenge_id: 'x'.repeat(129), solution: 'x' },
  ],
  ...[
    { challenge_id: 'x', solution: 'x'.repeat(8193) },
    { challenge_id: 'waiting:*', solution: '\u0000', extra: 1 },
  ],
]

describe('captchas under attack', () => {
  let world: TestKernel
  before(async () => {
    world = await startCaptchas({ env: secrets })
    await configure(world.api, { captcha_challenge_limit: 6000, captcha_verify_limit: 6000 })
  })
  after(() => world[Symbol.asyncDispose]())

  it('answer nonsense with what is wrong with it, and never fail', async () => {
    for (const path of paths) {
      for (const body of nonsense) {
        const { status, body: said } = await world.api.post(path, body, {
          headers: { 'content-type': 'application/json' },
        })
        const isRefusal = [400, 404, 422].includes(status)
        assert.ok(
          isRefusal && Math.trunc(Number(said['code']) / 10) === status,
          `${path} ${JSON.stringify(body)}: ${status}`,
        )
        assert.equal(typeof (said['trace_id'] as unknown), 'string')
      }
    }
  })

  it('say the same of every answer that does not count', async () => {
    const id = await newChallenge(world.api)
    const used = await newChallenge(world.api)
    await verify(world.api, { challenge_id: used })
    const answers = [
      { challenge_id: id, solution: 'wrong' },
      { challenge_id: used },
      { challenge_id: 'A'.repeat(24) },
      { challenge_id: 'x' },
      { challenge_id: id, action: 'register' },
      { challenge_id: id, endpoint: 'tenant' },
      { challenge_id: id, provider_code: 'image' },
    ]
    for (const answer of answers)
      assert.deepEqual(await verify(world.api, answer), { valid: false }, JSON.stringify(answer))
    assert.deepEqual(await verify(world.api, { challenge_id: id }, 't6.localhost'), { valid: false })
  })

  it('show a picture whose form says nothing of its text', async () => {
    const images = await Promise.all(Array.from({ length: 12 }, () => ask(world.api)))
    const seen = images.map((answer) => {
      const { challenge, challenge_id: id } = dataOf(answer) as unknown as {
        challenge: Record<string, unknown>
        challenge_id: string
      }
      const { image, ...rest } = challenge
      return { id, image: Buffer.from(String(image).split(',')[1] ?? '', 'base64'), rest }
    })
    const forms = new Set(seen.map(({ rest }) => JSON.stringify(rest)))
    assert.deepEqual([...forms], ['{"type":"image","width":160,"height":56,"length":5,"case_sensitive":false}'])
    assert.equal(new Set(seen.map(({ id }) => id)).size, 12)
    for (const { id, image } of seen) {
      assert.equal(/tEXt|iTXt|zTXt|eXIf|tIME/.test(image.toString('latin1')), false)
      assert.match(id, /^[\w-]{24}$/)
    }
  })

  it('count a flood by where it comes from, whatever it says of itself', async () => {
    await configure(world.api, { captcha_challenge_limit: 5 })
    const flood = Array.from({ length: 40 }, (_, at) =>
      world.api.post(
        paths[0] ?? '',
        { provider_code: 'words' },
        {
          host: tenantHost,
          headers: {
            'x-forwarded-for': `203.0.113.${at}`,
            'x-real-ip': `203.0.113.${at}`,
            forwarded: `for=203.0.113.${at}`,
          },
        },
      ),
    )
    const answers = await Promise.all(flood)
    const passed = answers.filter(({ status }) => status === 200).length
    assert.ok(passed <= 5 && answers.every(({ status }) => [200, 429].includes(status)), String(passed))
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.headers['ratelimit-policy'], '"captcha-challenge";q=5;w=60')
    assert.match(String(refused?.headers['ratelimit']), /^"captcha-challenge";r=0;t=\d+$/)
    await configure(world.api, { captcha_challenge_limit: 6000 })
    assert.equal((await ask(world.api)).status, 200)
  })

  if (testRedisUrl()) {
    it('count once on two hosts that are told the answer at the same time', async () => {
      const { databaseUrl, namespace } = world
      await using two = await startCaptchas({ env: secrets, databaseUrl, namespace })
      const hosts = [world.api, two.api]
      for (let round = 0; round < 3; round++) {
        const id = await newChallenge(world.api)
        const verdicts = await Promise.all(
          Array.from({ length: 20 }, (_, at) => verify(hosts[at % 2]!, { challenge_id: id })),
        )
        assert.equal(verdicts.filter(({ valid }) => valid as unknown).length, 1)
        const uses = await Promise.all(
          Array.from({ length: 20 }, (_, at) => knock(hosts[at % 2]!, { challengeId: id }, login)),
        )
        assert.deepEqual(uses.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(400)])
      }
      const id = await newChallenge(two.api)
      const answer = { challengeId: id, solution: rightWord }
      const direct = await Promise.all(Array.from({ length: 20 }, (_, at) => knock(hosts[at % 2]!, answer, login)))
      const codes = direct.map(({ body }) => body['code'] as unknown)
      assert.deepEqual(
        [codes.filter((code) => code === 0).length, codes.filter((code) => code === 4005).length],
        [1, 19],
      )
    })
  }
})
