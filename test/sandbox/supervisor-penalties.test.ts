import assert from 'node:assert/strict'

import { Penalties } from '../../sandbox/supervisor/penalties.ts'

const hourMs = 3_600_000
const momentMs = 10_000

describe('plugins that are held apart', () => {
  let now = 0
  const heldApart = (places = 4) => new Penalties({ places, penaltyMs: hourMs, now: () => now })
  const placesOf = (penalties: Penalties, ...plugins: readonly string[]) =>
    plugins.map((plugin) => penalties.placeOf(plugin))
  beforeEach(() => (now = 0))

  it('are apart from each other too when one of them did it, as far as there are places', () => {
    const penalties = heldApart()
    penalties.suspect(new Set(['a', 'b', 'c', 'd']))
    assert.equal(new Set(placesOf(penalties, 'a', 'b', 'c', 'd')).size, 4)
    const crowded = heldApart()
    crowded.suspect(new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']))
    const held = placesOf(crowded, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    assert.deepEqual([...held].sort(), [0, 0, 1, 1, 2, 2, 3, 3])
  })

  it('do not stay together after another death that they shared', () => {
    const penalties = heldApart(2)
    penalties.suspect(new Set(['a']))
    penalties.suspect(new Set(['b']))
    penalties.suspect(new Set(['c']))
    const [a, , c] = placesOf(penalties, 'a', 'b', 'c')
    assert.equal(a, c)
    penalties.suspect(new Set(['a', 'c']))
    const [first, second] = placesOf(penalties, 'a', 'c')
    assert.notEqual(first, second)
  })

  it('are free as soon as another was seen to have done what they were suspected of', () => {
    const penalties = heldApart()
    penalties.suspect(new Set(['good', 'evil']))
    penalties.suspect(new Set(['good', 'evil']))
    penalties.suspect(new Set(['other', 'third']))
    penalties.strike('evil')
    assert.equal(penalties.placeOf('good'), undefined)
    assert.deepEqual([penalties.isCertain('evil'), penalties.isCertain('other')], [true, false])
    assert.ok(placesOf(penalties, 'evil', 'other', 'third').every((place) => place !== undefined))
    // What it is suspected of next is its first time.
    penalties.suspect(new Set(['good', 'third']))
    now += momentMs
    assert.deepEqual([penalties.placeOf('good'), penalties.placeOf('third') !== undefined], [undefined, true])
  })

  it('are held for longer when it is not the first time, and then for what else they did', () => {
    const penalties = heldApart()
    penalties.suspect(new Set(['good', 'one']))
    penalties.suspect(new Set(['good', 'two']))
    penalties.strike('one')
    now += hourMs - 1
    assert.notEqual(penalties.placeOf('good'), undefined)
    now += 1
    assert.equal(penalties.placeOf('good'), undefined)
  })

  it('do not meet those that were seen to have done it, while there is a place without any', () => {
    const penalties = heldApart()
    penalties.suspect(new Set(['good']))
    for (const evil of ['a', 'b', 'c', 'd', 'e']) penalties.strike(evil)
    const culprits = new Set(placesOf(penalties, 'a', 'b', 'c', 'd', 'e'))
    penalties.suspect(new Set(['second', 'f']))
    for (const suspect of ['good', 'second', 'f']) assert.ok(!culprits.has(penalties.placeOf(suspect)), suspect)
    assert.notEqual(penalties.placeOf('second'), penalties.placeOf('f'))
    penalties.strike('f')
    assert.ok(culprits.has(penalties.placeOf('f')))
    assert.ok(penalties.isNeeded(penalties.placeOf('f') ?? -1))
  })

  it('share the only place where there is no other', () => {
    const penalties = heldApart(1)
    penalties.suspect(new Set(['good', 'evil']))
    penalties.suspect(new Set(['good', 'other']))
    penalties.strike('evil')
    assert.deepEqual(placesOf(penalties, 'good', 'other', 'evil'), [0, 0, 0])
  })
})
