/** What is done with a whole conversation. */
export type ConversationVerb = 'rename' | 'pin' | 'archive' | 'delete' | 'copy' | 'markdown' | 'json' | 'print'
