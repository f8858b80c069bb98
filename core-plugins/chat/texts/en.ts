/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Chat',
  'plugin.description': 'Conversations with AI agents, plain and streamed',
  user_chat: 'Chat',
  user_conversations: 'Conversations',
}
