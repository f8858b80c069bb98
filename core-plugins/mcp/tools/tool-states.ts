/** What a tool of a server can be. */
export const toolStates = ['on', 'not_allowed', 'awaiting_approval', 'changed', 'gone', 'unfit'] as const
