// @both-back-ends
import assert from 'node:assert/strict'
import path from 'node:path'
import { itOnRedis } from '../../../support/it-on-redis.ts'
import { picture } from '../../../support/pictures.ts'
import { filesBelow } from '../../../support/storage.ts'
import { startImageWorld, type Got, type ImageWorld } from './world.ts'

const eight = Array.from({ length: 8 })
const folderOf = (world: ImageWorld): string => path.join(world.host.dataDir, 'cache', 'img')
const outcomes = (answers: readonly Got[]): unknown => [
  [...new Set(answers.map(({ status }) => status))],
  new Set(answers.map(({ bytes }) => bytes.toString('latin1'))).size,
]

describe('an image that many ask for at once', () => {
  it('is made once', async () => {
    await using world = await startImageWorld()
    const file = await world.put(await picture(800, 600).jpeg().toBuffer())
    const answers = await Promise.all(eight.map(() => world.get(`${file}?w=300&f=webp`)))
    assert.deepEqual([outcomes(answers), world.made()], [[[200], 1], 1])
    assert.equal((await filesBelow(folderOf(world))).length, 1)
  })

  it('is given out also where it cannot be kept', async () => {
    await using world = await startImageWorld()
    await world.configure({ image_cache_max_mb: 0 })
    const file = await world.put(await picture(80, 60).jpeg().toBuffer())
    assert.equal((await world.get(`${file}?w=30`)).status, 200)
    assert.deepEqual(await filesBelow(folderOf(world)), [])
  })

  itOnRedis('is made once on two hosts, each of which has it on its own disk then', async () => {
    await using one = await startImageWorld()
    // Hosts share where files lie, and each has a disk of its own for what it makes of them.
    await one.configure({ storage_config: { root: path.join(one.host.dataDir, 'shared') } }, 'platform_storage')
    const file = await one.put(await picture(800, 600).jpeg().toBuffer())
    await using two = await startImageWorld(one.options)
    const answers = await Promise.all(eight.map((_, at) => (at % 2 ? one : two).get(`${file}?w=300&f=webp`)))
    assert.deepEqual([outcomes(answers), one.made() + two.made()], [[[200], 1], 1])
    assert.deepEqual([(await filesBelow(folderOf(one))).length, (await filesBelow(folderOf(two))).length], [1, 1])
  })
})
