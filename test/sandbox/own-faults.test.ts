import { deepEqual } from 'node:assert/strict'
import { it } from 'mocha'
import { outcomeError } from '#sandbox'

it('a statement that a plugin wrote wrongly tells its callers nothing of its tables', () => {
  const message = 'There is no column "a" in notes, which has id, secret_word'
  const details = { reason: 'statement_invalid', table: 'notes', column: 'a' }
  const error = { name: 'PluginError', code: 'bad_request', message, details, stack: `PluginError: ${message}` }
  const failure = { ok: false, kind: 'threw', error, cpuMs: 1, wallMs: 1, hostCalls: 1 } as const
  const { code, message: told, details: shown, cause } = outcomeError('acme.notes', failure)
  deepEqual(
    [code, told, shown],
    [4002, 'The plugin asked the platform for what is not possible', { reason: 'statement_invalid' }],
  )
  deepEqual(cause, error, 'the author learns nothing')
})
