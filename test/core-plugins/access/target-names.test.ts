import assert from 'node:assert/strict'
import { it } from 'mocha'
import { TargetNames } from '../../../core-plugins/access/audit/target-names.ts'

it('names of what was written to are told as far as they can be: a source that fails takes none of the others', async () => {
  const warned: unknown[] = []
  const names = new TargetNames({ warn: (fields: unknown) => void warned.push(fields) })
  const away = new Error('away')
  names.use('broken', () => Promise.reject(away))
  names.use('whole', (_tenant, ids) => Promise.resolve(ids.map((id) => ({ id, name: `the ${id}` }))))
  const found = await names.of(1, ['whole:a', 'broken:b', 'unknown:c', 'whole:d'], 'en')
  assert.deepEqual(
    [...found],
    [
      ['whole:a', 'the a'],
      ['whole:d', 'the d'],
    ],
  )
  assert.deepEqual(warned, [{ err: away, kind: 'broken' }])
})
