import assert from 'node:assert/strict'
import { restartPlugin, startHostilePlatform, type HostilePlatform } from '../../support/hostile-platform.ts'
import { until } from '../../support/until.ts'
import { abuseCapabilities } from './capabilities.ts'
import { attackWithCode } from './code.ts'
import { attackTheDoor } from './door.ts'
import { escape } from './escapes.ts'
import { uploadHarm } from './uploads.ts'

const attacker = '/tenant/plugins/evil.attacker/api'
const twin = '/tenant/plugins/evil.twin/api'
const pauseMs = 30_000

describe('a host under attack', () => {
  let platform: HostilePlatform

  before(async () => {
    platform = await startHostilePlatform()
  })
  after(() => platform[Symbol.asyncDispose]())
  // Whatever an attack before did to it, each one meets a plugin that runs.
  beforeEach(async () => {
    if ((await platform.demo.api.get(`${attacker}/ping`)).status !== 200) await restartPlugin(platform)
  })

  describe('at first', () => {
    it('pauses a plugin that went beyond its limits five times within a minute', async () => {
      const { api } = platform.demo
      const codes: unknown[] = []
      for (let count = 0; count < 6; count++) {
        codes.push((await api.post(`${twin}/run`, { code: 'for (;;);' })).body['code'])
      }
      assert.deepEqual(codes, [5008, 5008, 5008, 5008, 5008, 5035])
    })
  })

  describe('by code', () => attackWithCode(() => platform))
  describe('by escapes', () => escape(() => platform))
  describe('by capabilities', () => abuseCapabilities(() => platform))
  describe('by uploads', () => uploadHarm(() => platform))
  describe('by requests', () => attackTheDoor(() => platform))

  describe('at last', () => {
    it('lets a paused plugin answer again half a minute later', async () => {
      const { api } = platform.demo
      await until(async () => (await api.get(`${twin}/ping`)).status === 200, pauseMs + 5_000)
    })
  })
})
