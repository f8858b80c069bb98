import { defineError } from '#kernel'

/** Also for one of somebody else's. */
export const ConversationNotFoundError = defineError(4047, 'conversation_not_found', 'There is no such conversation')
export const MessageNotFoundError = defineError(4040, 'message_not_found', 'There is no such message')
export const RunNotFoundError = defineError(4040, 'run_not_found', 'There is no such run')
/** `details.run_id` is the run that is active. */
export const ConversationBusyError = defineError(4094, 'conversation_busy', 'An answer is being written already')
export const ConfirmationOverError = defineError(4094, 'confirmation_over', 'No call waits to be confirmed any more')
/** `details.message` is what came of the run. */
export const RunEventsGoneError = defineError(4100, 'run_events_gone', 'The events of this run are kept no longer')
export const RunInterruptedError = defineError(5030, 'run_interrupted', 'The platform broke the answer off')
/** Also for a link that was taken back. */
export const ShareNotFoundError = defineError(4040, 'shared_conversation_not_found', 'There is no such link')
export const NothingToShareError = defineError(4094, 'nothing_to_share', 'Nothing was answered yet')
/** Told to the model as what the call came to. */
export const ToolQuotaError = defineError(4296, 'tool_quota_exceeded', 'The quota {quota} of calls of tools is used up')
/** In place of errors that name the model, which users do not see. */
export const AgentCannotError = defineError(4002, 'agent_cannot', 'The agent’s model cannot take this')
export const AgentRequestError = defineError(4002, 'agent_request', 'An agent decides on {field} itself')
export const NoAgentError = defineError(4047, 'no_agent', 'There is no agent that you may use')
export const ChatInvalidError = defineError(4229, 'chat_invalid', 'Something of the message cannot be')
/** There are not more questions than are kept as they are. */
export const NothingToCompactError = defineError(4094, 'nothing_to_compact', 'There is nothing to be shortened yet')
