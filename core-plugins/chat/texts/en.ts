/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Chat',
  'plugin.description': 'Conversations with AI agents, plain and streamed',
  user_chat: 'Chat',
  user_conversations: 'Conversations',
  ai_routing_model: 'Model that chooses agents',
  'ai_routing_model.description': 'Asked where rules and words are not sure; nobody is asked where this is empty',
  ai_routing_embedding_model: 'Embedding model that compares agents',
  'ai_routing_embedding_model.description':
    'Asked before that model, where rules and words are not sure; nobody is asked where this is empty',
  ai_default_agent: 'Usual agent',
  'ai_default_agent.description': 'Answers where no agent fits a message well; by its code',
  tenant_chat: 'Chat',
  ai_compaction: 'Shorten long conversations',
  'ai_compaction.description':
    'Older messages that do not fit into what a model can read are told to it in short; people still see them all',
  ai_compaction_model: 'Model that shortens',
  'ai_compaction_model.description': 'By name; the agent’s own where this is empty',
}
