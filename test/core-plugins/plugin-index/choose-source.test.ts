import assert from 'node:assert/strict'
import { chooseSource } from '../../../core-plugins/plugin-index/offers/choose-source.ts'
import type { SourceSet } from '../../../core-plugins/plugin-index/sources/source-set.ts'

interface Source {
  readonly id: string
  readonly deny?: readonly string[]
  readonly unsigned?: boolean
  readonly key?: string
}

function sourcesOf(all: readonly Source[]): SourceSet {
  const open = all.map(({ id, deny = [], unsigned = false, key = 'k' }) => ({
    row: { id, allow: [], deny, unsigned },
    index: {
      find: (name: string) => (name === 'acme.crm' ? {} : undefined),
      publishers: { format: 1, publishers: { acme: { name: 'Acme', keys: [{ kid: 'acme-1', publicKey: key }] } } },
    },
  }))
  return { all: open, find: (id: string) => open.find(({ row }) => row.id === id) } as unknown as SourceSet
}

describe('the source that a plugin is taken from', () => {
  async function choose(all: readonly Source[], installed?: { readonly source: string | null }, asked?: string) {
    const directory = { list: () => Promise.resolve(installed ? [installed] : []) } as unknown as Parameters<
      typeof chooseSource
    >[0]['directory']
    return chooseSource({ directory, sources: sourcesOf(all) }, 'acme.crm', asked).then(
      ({ row }) => row.id,
      (error: unknown) => (error as { readonly reason: string }).reason,
    )
  }
  const [one, two] = [{ id: 'one' }, { id: 'two' }]

  it('is the first that offers it and lets it in', async () => {
    assert.deepEqual(
      [
        await choose([one, two]),
        await choose([{ ...one, deny: ['acme.*'] }, two]),
        await choose([one, two], undefined, 'two'),
      ],
      ['one', 'two', 'two'],
    )
  })

  it('is for ever that which it was installed from, and none for what was uploaded', async () => {
    assert.deepEqual(
      [
        await choose([one, two], { source: 'two' }),
        await choose([one, two], { source: 'two' }, 'one'),
        await choose([one], { source: 'two' }),
        await choose([one, two], { source: null }),
      ],
      ['two', 'plugin_of_another_source', 'plugin_source_not_found', 'plugin_was_uploaded'],
    )
  })

  it('has to be named where two mean somebody else by the name', async () => {
    const ambiguous = 'plugin_source_ambiguous'
    assert.deepEqual(
      [
        await choose([one, { ...two, key: 'other' }]),
        await choose([one, { ...two, unsigned: true }]),
        await choose([one, { ...two, key: 'other', deny: ['acme.crm'] }]),
      ],
      [ambiguous, ambiguous, 'one'],
    )
  })
})
