/** The vendors whose wire format is spoken; `plugin` is one that a plugin brings. */
export const providerTypes = [
  ...(['openai_compatible', 'anthropic', 'gemini', 'azure_openai', 'ollama', 'demo', 'plugin'] as const),
] as const
