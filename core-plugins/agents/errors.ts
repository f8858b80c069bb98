import { defineError } from '#kernel'

/** Also for one of another tenant, and in the user area for one that is not published or not for the caller. */
export const AgentNotFoundError = defineError(4047, 'agent_not_found', 'There is no such agent')
export const AgentVersionNotFoundError = defineError(4040, 'agent_version_not_found', 'There is no such version')
export const AgentCodeTakenError = defineError(4091, 'agent_code_taken', 'There is an agent with this code')
export const AgentNotPublishedError = defineError(4094, 'agent_not_published', 'The agent is not published')
export const AgentInvalidError = defineError(4229, 'agent_invalid', 'Something of the agent cannot be')
