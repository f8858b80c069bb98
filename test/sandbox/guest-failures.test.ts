import { deepEqual } from 'node:assert/strict'
import type { AppError } from '#kernel'
import { outcomeError } from '../../sandbox/wire/outcome-error.ts'
import type { Failure, GuestError, ReachedLimit } from '../../sandbox/wire/call.ts'

const threw = (error: Partial<GuestError>): Failure => ({
  ok: false,
  kind: 'threw',
  error: { name: 'Error', message: 'Why', ...error },
})
const limit = (reached: ReachedLimit): Failure => ({ ok: false, kind: 'limit', limit: reached })
const shown = ({ code, reason, message, details, headers }: AppError): unknown[] => [
  code,
  reason,
  message,
  details,
  headers['retry-after'],
]

describe('what a guest’s failure becomes', () => {
  const failed = [5004, 'plugin_handler_failed', 'The plugin failed', undefined, undefined]
  const table: readonly (readonly [Failure, unknown])[] = [
    [threw({ code: 'bad_request' }), [4002, 'plugin.acme.notes.bad_request', 'Why', undefined, undefined]],
    [threw({ code: 'forbidden' }), [4030, 'plugin.acme.notes.forbidden', 'Why', undefined, undefined]],
    [threw({ code: 'not_found', reason: 'no_note' }), [4040, 'plugin.acme.notes.no_note', 'Why', undefined, undefined]],
    [
      threw({ code: 'conflict', details: { by: 1 } }),
      [4090, 'plugin.acme.notes.conflict', 'Why', { by: 1 }, undefined],
    ],
    [threw({ code: 'invalid', details: [1] }), [4220, 'plugin.acme.notes.invalid', 'Why', undefined, undefined]],
    [
      threw({ code: 'rate_limited', reason: 'Not A Slug' }),
      [4299, 'plugin.acme.notes.rate_limited', 'Why', undefined, undefined],
    ],
    [
      threw({ code: 'upstream', message: '{braces}' }),
      [5024, 'plugin.acme.notes.upstream', '{braces}', undefined, undefined],
    ],
    [threw({ status: 404 }), [4040, 'plugin.acme.notes.not_found', 'Why', undefined, undefined]],
    ...[
      threw({ status: 401 }),
      threw({ status: 500 }),
      threw({ code: 'internal' }),
      threw({ code: '__proto__' }),
      threw({}),
    ].map((failure) => [failure, failed] as const),
    [{ ok: false, kind: 'load', message: 'the plugin has no handler "x"' }, failed],
    [
      threw({ code: 'forbidden', details: { reason: 'capability_missing', capability: 'http' } }),
      [4039, 'capability_missing', 'The plugin was not granted what it needs', { capability: 'http' }, undefined],
    ],
    [
      threw({ code: 'rate_limited', details: { reason: 'storage_quota_exceeded' } }),
      [4297, 'plugin_storage_quota', 'The storage of the plugin is full', undefined, undefined],
    ],
    ...(['cpu', 'memory', 'host_calls'] as const).map(
      (name) =>
        [
          limit(name),
          [5008, 'sandbox_failed', 'The plugin went beyond its limits', { limit: name }, undefined],
        ] as const,
    ),
    ...(['concurrency', 'queue'] as const).map(
      (name) => [limit(name), [4298, 'plugin_concurrency', 'The plugin is busy', { limit: name }, '1']] as const,
    ),
    [
      limit('response_bytes'),
      [
        5029,
        'plugin_response_invalid',
        'The answer of the plugin is not valid',
        { limit: 'response_bytes' },
        undefined,
      ],
    ],
    [
      { ok: false, kind: 'invalid', message: '' },
      [5029, 'plugin_response_invalid', 'The answer of the plugin is not valid', undefined, undefined],
    ],
    [
      { ok: false, kind: 'timeout' },
      [5040, 'plugin_timeout', 'The plugin did not answer in time', undefined, undefined],
    ],
    [
      { ok: false, kind: 'timeout', fault: 'database', awaited: 'other' },
      [5030, 'unavailable', 'The service is not available at the moment', undefined, undefined],
    ],
    [
      { ok: false, kind: 'timeout', fault: 'host', awaited: 'saving' },
      [
        ...[5036, 'outcome_unknown'],
        'The connection was lost while this was saved: look whether it was before you try again',
        ...[undefined, undefined],
      ],
    ],
    ...(
      [
        ['crash', '1'],
        ['breaker_open', '30'],
        ['quarantined', '300'],
        ['upgrading', '5'],
      ] as const
    ).map(
      ([cause, wait]) =>
        [
          { ok: false, kind: 'killed', cause },
          [5035, 'plugin_not_running', 'The plugin is not running at the moment', { cause }, wait],
        ] as const,
    ),
  ]

  it(`is one of ${table.length} errors of the platform`, () => {
    for (const [failure, expected] of table)
      deepEqual(shown(outcomeError('acme.notes', failure)), expected, JSON.stringify(failure))
  })
})
