/** What a page may be doing when somebody reports it. */
export const reportedStates = ['silent', 'removed', 'failed', 'shown'] as const

/** A report of somebody who looks at a page of a plugin. */
export const reportBody = {
  type: 'object',
  required: ['plugin', 'slot', 'state'],
  additionalProperties: false,
  properties: {
    plugin: { type: 'string', minLength: 1, maxLength: 64, description: 'The name of the plugin' },
    slot: { type: 'string', minLength: 1, maxLength: 64, description: 'The entry that shows the page' },
    state: {
      enum: reportedStates,
      description: 'It does not answer, was taken away, says that something failed, or is shown and wrong',
    },
    words: { type: 'string', maxLength: 500, description: 'What its reader says of it' },
  },
  examples: [{ plugin: 'acme.sales', slot: 'board', state: 'silent', words: 'The board stays empty.' }],
} as const
