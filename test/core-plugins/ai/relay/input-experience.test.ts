import assert from 'node:assert/strict'
import { InputExperience } from '../../../../core-plugins/ai/relay/input-experience.ts'

const size = { about: 100, atMost: 1_000, hasMedia: false, images: 0 }
const leg = (provider: string) => ({ model: { id: 'm' }, provider: { id: provider } })

describe('what is known of the size of inputs', () => {
  it('is learnt of a model with each provider, so that nobody’s own provider speaks for another', () => {
    const experience = new InputExperience()
    const usual = experience.estimate(leg('platform'), size)
    for (let call = 0; call < 100; call++) experience.note(leg('tenant'), size, 1)
    assert.equal(experience.estimate(leg('platform'), size), usual)
    assert.equal(experience.estimate(leg('tenant'), size), 1)
  })
})
